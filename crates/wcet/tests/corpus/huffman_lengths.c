/* A Huffman code is made for twelve weights: the two lightest nodes join, eleven times. */
/* fact: run 23 */
unsigned weights[12];
unsigned char lengths[12];

int prepare(int input)
{
    unsigned a = 1, b = 1;
    for (int i = 0; i < 12; i++) {
        weights[i] = input == 0 ? a : input == 1 ? (unsigned)(12 - i) : 1;
        unsigned sum = a + b;
        a = b;
        b = sum;
    }
    return input < 3;
}

void run(void)
{
    unsigned weight[23];
    unsigned char parent[23];
    for (int i = 0; i < 12; i++) weight[i] = weights[i];
    for (int next = 12; next < 23; next++) {
        int least[2] = {-1, -1};
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < next; i++)
                if (weight[i] && (least[k] < 0 || weight[i] < weight[least[k]])) least[k] = i;
            if (least[k] < 0) least[k] = 0;
            parent[least[k]] = (unsigned char)next;
            if (k == 0) {
                weight[next] = weight[least[0]];
                weight[least[0]] = 0;
            }
        }
        unsigned sum = weight[next] + weight[least[1]];
        weight[least[1]] = 0;
        weight[next] = sum;
    }
    unsigned char depth[23];
    depth[22] = 0;
    for (int i = 21; i >= 0; i--) depth[i] = (unsigned char)(depth[parent[i] % 23] + 1);
    for (int i = 0; i < 12; i++) lengths[i] = depth[i];
}
