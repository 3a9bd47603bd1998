/* A characteristic curve of nine points, and what lies between them. */
static const short inputs[9] = {-1000, -500, -100, -20, 0, 20, 100, 500, 1000};
static const short outputs[9] = {-300, -280, -200, -90, 0, 90, 200, 280, 300};
int asked, answer;

int prepare(int input)
{
    asked = input * 260 - 1300;
    return input < 11;
}

void run(void)
{
    int x = asked;
    if (x <= inputs[0]) {
        answer = outputs[0];
        return;
    }
    for (int i = 1; i < 9; i++)
        if (x < inputs[i]) {
            int step = inputs[i] - inputs[i - 1], rise = outputs[i] - outputs[i - 1];
            answer = outputs[i - 1] + (x - inputs[i - 1]) * rise / step;
            return;
        }
    answer = outputs[8];
}
