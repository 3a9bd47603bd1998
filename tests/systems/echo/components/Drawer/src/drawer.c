/* Structs in all directions: the client's side. */

#include <camkes.h>
#include <stdio.h>

int run(void)
{
    rectangle_t shapes[2] = {{'a', {1, -2}, 1LL << 40, 3}, {'b', {-3, 4}, 5, 6}};
    int right = shape_area(shapes[0]) == 3LL << 40;
    point_t by = {7, 8}, corner = {0, 0};
    shape_grow(&shapes[1], &by, &corner);
    right += shapes[1].width == 12 && shapes[1].height == 14 && shapes[1].name == 'b';
    right += corner.x == -3 && corner.y == 4;
    size_t count = 0;
    point_t *corners = NULL;
    shape_corners(2, shapes, &count, &corners);
    right += count == 2 && corners[0].y == -2 && corners[1].x == -3;
    free(corners);
    rectangle_t square = shape_square(9);
    right += square.name == 's' && square.width == 9 && square.height == 9;
    printf("%d of 5 right\n", right);
    return 0;
}
