/* Quick sort of 16 numbers by recursion; the number of levels depends on the data. */
/* fact: sort 15 */
/* recursion: sort 16 */
/* calls: sort 31 */
int numbers[16];

int prepare(int input)
{
    for (int i = 0; i < 16; i++) numbers[i] = input == 0 ? i : i * 11 % 16;
    return input < 2;
}

static void sort(int low, int high)
{
    if (low >= high) return;
    int pivot = numbers[high], at = low;
    for (int i = low; i < high; i++)
        if (numbers[i] < pivot) {
            int kept = numbers[i];
            numbers[i] = numbers[at];
            numbers[at++] = kept;
        }
    numbers[high] = numbers[at];
    numbers[at] = pivot;
    sort(low, at - 1);
    sort(at + 1, high);
}

void run(void) { sort(0, 15); }
