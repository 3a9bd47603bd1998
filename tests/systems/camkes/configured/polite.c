const char *word(void)
{
    return "please";
}
