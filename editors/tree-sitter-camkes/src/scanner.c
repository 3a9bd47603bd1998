/* The end of a preprocessor line: a line break, or the end of the file. */
#include "tree_sitter/parser.h"

enum token { LINE_END, ERROR_SENTINEL };

void *tree_sitter_camkes_external_scanner_create(void) { return NULL; }

void tree_sitter_camkes_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_camkes_external_scanner_serialize(void *payload, char *buffer) {
    (void)payload;
    (void)buffer;
    return 0;
}

void tree_sitter_camkes_external_scanner_deserialize(void *payload, const char *buffer,
                                                     unsigned length) {
    (void)payload;
    (void)buffer;
    (void)length;
}

bool tree_sitter_camkes_external_scanner_scan(void *payload, TSLexer *lexer,
                                              const bool *valid_symbols) {
    (void)payload;
    /* Both are valid only while the parser recovers from an error. */
    if (!valid_symbols[LINE_END] || valid_symbols[ERROR_SENTINEL]) {
        return false;
    }
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r') {
        lexer->advance(lexer, true);
    }
    if (lexer->lookahead != '\n' && !lexer->eof(lexer)) {
        return false;
    }
    lexer->result_symbol = LINE_END;
    return true;
}
