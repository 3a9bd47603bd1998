/* Nothing is measured: the instructions are only read. */
void measure_all(void) {}
