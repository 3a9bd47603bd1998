/* Structs in all directions: the server's side. */

#include <camkes.h>

int64_t shape_area(rectangle_t shape)
{
    return shape.width * shape.height;
}

void shape_grow(rectangle_t *shape, const point_t *by, point_t *corner)
{
    shape->width += by->x;
    shape->height = (uint16_t)(shape->height + by->y);
    *corner = shape->from;
}

void shape_corners(size_t shapes_sz, const rectangle_t *shapes, size_t *corners_sz, point_t **corners)
{
    *corners = malloc(shapes_sz * sizeof **corners);
    *corners_sz = shapes_sz;
    for (size_t i = 0; i < shapes_sz; i++) {
        (*corners)[i] = shapes[i].from;
    }
}

rectangle_t shape_square(int32_t side)
{
    return (rectangle_t){'s', {0, 0}, side, (uint16_t)side};
}
