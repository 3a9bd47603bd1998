/* The frame calls it; nothing is measured here. */
void measure_all(void)
{
}
