/* A state machine over 50 symbols, with a switch table. */
unsigned char symbols[50];
int state;
int seen[8];

int prepare(int input)
{
    state = 0;
    for (int i = 0; i < 50; i++) symbols[i] = (unsigned char)(input == 0 ? 7 : (i * input) % 9);
    return input < 6;
}

void run(void)
{
    for (int i = 0; i < 50; i++) {
        switch (symbols[i]) {
        case 0: state = (state + 1) & 7; break;
        case 1: seen[state & 7]++; break;
        case 2: state = state * 3 & 7; break;
        case 3: seen[0] += state; state = 0; break;
        case 4: state ^= 5; break;
        case 5: seen[1] = seen[2] + seen[3] - seen[4]; break;
        case 6: state = seen[state & 7] & 7; break;
        case 7: seen[(state + 3) & 7] = seen[(state + 5) & 7] * 3 + 1; state = (state + 7) & 7; break;
        default: break;
        }
    }
}
