const char *word(void)
{
    return "now";
}
