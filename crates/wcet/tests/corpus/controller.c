/* A fixed-point controller with saturation, as found in motor control. */
int set_point, measured, integral, last;
int output;

int prepare(int input)
{
    set_point = input * 1000 - 4000;
    measured = input * 37;
    integral = input & 1 ? 30000 : -30000;
    return input < 9;
}

static int limited(int value, int limit) { return value > limit ? limit : value < -limit ? -limit : value; }

void run(void)
{
    int error = set_point - measured;
    integral = limited(integral + error / 8, 32000);
    int derivative = error - last;
    last = error;
    output = limited((error * 12 + integral * 3 + derivative * 5) / 16, 10000);
}
