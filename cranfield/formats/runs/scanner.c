/* Reads the lines of TREC runs: of each topic how many documents were retrieved, and at which places judged ones.

   scanned.py says what goes in and comes out. Order is that of cranfield.arrays: score descending, ties by docno
   descending. Whatever is unusual gives None, and is left to the reading of tables, which alone says what is wrong.
   `meet` does the same for the dict of a topic, `number` for its judgments; cranfield.metrics.dicts uses them.
   `unite` numbers the different names of several runs, and `hashes` hashes those of one; united.py uses both. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 256 /* bytes of a qid or docno */
#define LONGEST_LINE (1 << 16)
#define EXACT ((uint64_t)1 << 53) /* whole numbers up to it are exact as doubles */
#define MOST_DIGITS 18            /* that surely fit into 64 bits */
#define AHEAD 32                  /* names whose slots are fetched into the cache at a time */

#if defined(__GNUC__)
#define PREFETCH(place) __builtin_prefetch(place)
#else
#define PREFETCH(place) ((void)(place))
#endif

typedef enum { READ, UNUSUAL, NO_MEMORY } Outcome;

typedef struct {
    const char *start;
    size_t size;
} Word;

typedef struct {
    uint32_t hash; /* the upper half */
    uint32_t name; /* numbered from 1; 0 where the slot is free */
} Slot;

/* Names by part: those of part 0 are qids, and part n has the docnos that were judged for the nth of them. */
typedef struct {
    const char *text;
    const int64_t *offsets; /* of each name in the text, and its end */
    const int64_t *starts;  /* of the slots of each part, and their end; a part has a power of two of them */
    const char *keys;       /* random, of the hash */
    Slot *slots;
    Py_ssize_t parts, names;
} Known;

typedef struct {
    double score;
    union {
        uint64_t hash;    /* of the docno; once that was looked up, */
        int64_t judgment; /* -1 for none */
    } is;
    const char *docno;
    uint32_t size; /* of the docno */
    uint32_t topic;
} Row;

typedef struct {
    Word qid;
    size_t rows;
    int64_t part; /* that of its docnos, 0 for a topic that nobody judged */
    double score; /* of its last line */
    int64_t rank; /* of its last line */
    int contradicts, varies, is_uneven; /* as RankCounts has them */
} Topic;

typedef struct {
    const Known *known;
    int has_points; /* whether numbers have decimal points in this locale */
    const char *at;
    Word first, tag;
    Topic *topics;
    size_t count, room; /* of topics */
    size_t topic;       /* that of the line */
    size_t infinite;    /* lines whose score is infinite */
    size_t *number;     /* of the judged topics that came, from 1 */
    int is_mixed;       /* whether a topic came again */
    Row *rows;
    size_t size, space; /* of rows */
    uint64_t *hashes;   /* of the docnos of a topic */
    size_t slots;       /* of hashes */
    int64_t judged, *row, *judgment;
} Scan;

static int is_same(Word one, Word other)
{
    return one.size == other.size && !memcmp(one.start, other.start, one.size);
}

/* Multilinear hashing (Lemire and Kaser 2014): who does not know the keys cannot find names that collide. Never 0. */
static uint64_t hash_of(const Known *known, Word name)
{
    uint64_t hash = name.size, keys[2];
    for (const char *key = known->keys; name.size; key += sizeof keys) {
        uint32_t words[2] = {0, 0};
        size_t taken = name.size < sizeof words ? name.size : sizeof words;
        memcpy(words, name.start, taken);
        memcpy(keys, key, sizeof keys);
        hash += keys[0] * words[0] + keys[1] * words[1];
        name.start += taken, name.size -= taken;
    }
    return hash | 1;
}

/* The slot of this name in a part, or the free one where it would be. */
static Slot *slot_of(const Known *known, int64_t part, uint64_t hash, Word name)
{
    Slot *slots = known->slots + known->starts[part];
    uint64_t mask = (uint64_t)(known->starts[part + 1] - known->starts[part] - 1);
    for (uint64_t at = hash >> 32 & mask;; at = (at + 1) & mask) {
        const int64_t *end = known->offsets + slots[at].name;
        if (!slots[at].name || (slots[at].hash == hash >> 32 &&
                                is_same((Word){known->text + end[-1], (size_t)(end[0] - end[-1])}, name)))
            return slots + at;
    }
}

/* The next word of a line; empty at its end, and before a "\r" that does not end a line. */
static Word next_word(Scan *scan)
{
    const char *at = scan->at;
    while (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f' || (*at == '\r' && at[1] == '\n'))
        at++;
    const char *end = at;
    while ((unsigned char)*end > ' ' || (*end && *end != ' ' && (*end < '\t' || *end > '\r')))
        end++;
    scan->at = end;
    return (Word){at, (size_t)(end - at)};
}

/* A number, where nobody could read another: few digits are exact, and dividing them by a power of ten rounds once. */
static int number_of(const Scan *scan, Word word, double *number)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    const char *at = word.start, *end = at + word.size, *point = end - 1;
    uint64_t whole = 0;
    int digits = 0, points = 0;
    for (at += *at == '-' || *at == '+'; at < end; at++)
        if (*at >= '0' && *at <= '9')
            whole = 10 * whole + (uint64_t)(*at - '0'), digits++;
        else if (*at == '.' && !points++)
            point = at;
        else
            break;
    if (FLT_EVAL_METHOD == 0 && at == end && digits && digits <= MOST_DIGITS && whole <= EXACT) {
        *number = (double)whole / tens[end - 1 - point];
        *number = *word.start == '-' ? -*number : *number;
        return 1;
    }
    char *stop = NULL;
    if (scan->has_points && strspn(word.start, "+-.0123456789Ee") >= word.size)
        *number = strtod(word.start, &stop);
    return stop == end;
}

static Word docno_of(const Row *row)
{
    return (Word){row->docno, row->size};
}

static int best_first(const void *one, const void *other)
{
    const Row *left = one, *right = other;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    int order = memcmp(right->docno, left->docno, left->size < right->size ? left->size : right->size);
    return order ? order : (right->size > left->size) - (right->size < left->size);
}

/* Room for one more thing of this size. */
static int has_room(void **things, size_t count, size_t *room, size_t size)
{
    if (count == *room) {
        size_t more = count ? 2 * count : 1024;
        void *larger = realloc(*things, more * size);
        if (!larger)
            return 0;
        *things = larger, *room = more;
    }
    return 1;
}

static Outcome check_duplicates(Scan *scan, const Row *rows, size_t size)
{
    size_t slots = 2;
    while (slots < 2 * size)
        slots *= 2;
    if (slots > scan->slots) {
        free(scan->hashes);
        if (!(scan->hashes = malloc(slots * sizeof *scan->hashes)))
            return NO_MEMORY;
        scan->slots = slots;
    }
    memset(scan->hashes, 0, slots * sizeof *scan->hashes);
    for (const Row *row = rows; row < rows + size; row++) {
        uint64_t at = row->is.hash >> 32 & (slots - 1);
        while (scan->hashes[at] && scan->hashes[at] != row->is.hash)
            at = (at + 1) & (slots - 1);
        if (scan->hashes[at])
            return UNUSUAL;
        scan->hashes[at] = row->is.hash;
    }
    return READ;
}

static void look_up(const Known *known, int64_t part, Row *rows, size_t size)
{
    for (Row *row = rows; row < rows + size; row++) {
        uint32_t name = part ? slot_of(known, part, row->is.hash, docno_of(row))->name : 0;
        row->is.judgment = name ? (int64_t)name - known->parts : -1;
    }
}

/* Put rows in order where it matters: all of a topic whose scores rise anywhere, else ties with a judged document. */
static void put_in_order(Row *rows, size_t size)
{
    size_t start = 0;
    int has_judged = 0;
    for (size_t row = 1; row < size; row++)
        if (rows[row].score > rows[row - 1].score) {
            qsort(rows, size, sizeof *rows, best_first);
            return;
        }
    for (size_t row = 0; row < size; row++) {
        if (rows[row].score != rows[start].score)
            start = row, has_judged = 0;
        has_judged |= rows[row].is.judgment >= 0;
        if (has_judged && row > start && (row + 1 == size || rows[row + 1].score != rows[row].score))
            qsort(rows + start, row + 1 - start, sizeof *rows, best_first);
    }
}

/* Put the rows of each topic together. */
static Outcome unmix(Scan *scan)
{
    Row *rows = malloc(scan->size * sizeof *rows);
    size_t *next = malloc(scan->count * sizeof *next), start = 0;
    if (rows && next) {
        for (size_t topic = 0; topic < scan->count; start += scan->topics[topic++].rows)
            next[topic] = start;
        for (size_t row = 0; row < scan->size; row++)
            rows[next[scan->rows[row].topic]++] = scan->rows[row];
    }
    free(next);
    free(scan->rows);
    scan->rows = rows;
    return rows && next ? READ : NO_MEMORY;
}

static Outcome end_topics(Scan *scan)
{
    Outcome outcome = scan->is_mixed ? unmix(scan) : READ;
    Row *rows = scan->rows;
    for (size_t topic = 0; outcome == READ && topic < scan->count; rows += scan->topics[topic++].rows) {
        size_t size = scan->topics[topic].rows;
        if ((outcome = check_duplicates(scan, rows, size)) != READ)
            return outcome;
        look_up(scan->known, scan->topics[topic].part, rows, size);
        put_in_order(rows, size);
        for (Row *row = rows; row < rows + size; row++)
            if (row->is.judgment >= 0) {
                scan->row[scan->judged] = row - scan->rows;
                scan->judgment[scan->judged++] = row->is.judgment;
            }
    }
    return outcome;
}

static Outcome find_topic(Scan *scan, Word qid)
{
    if (qid.size > LONGEST_NAME)
        return UNUSUAL;
    int64_t part = slot_of(scan->known, 0, hash_of(scan->known, qid), qid)->name;
    scan->topic = scan->count;
    if (part && scan->number[part]) {
        scan->is_mixed = 1, scan->topic = scan->number[part] - 1;
        return READ;
    }
    if (!has_room((void **)&scan->topics, scan->count, &scan->room, sizeof *scan->topics))
        return NO_MEMORY;
    scan->topics[scan->count++] = (Topic){.qid = qid, .part = part};
    scan->number[part] = scan->count;
    return READ;
}

static int whole_of(Word word, int64_t *number)
{
    const char *at = word.start, *end = at + word.size;
    int64_t whole = 0;
    at += *at == '-';
    if (at == end || end - at > MOST_DIGITS)
        return 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return 0;
        whole = 10 * whole + (*at - '0');
    }
    *number = *word.start == '-' ? -whole : whole;
    return 1;
}

static void compare_ranks(Topic *topic, double score, int64_t rank)
{
    if (topic->rows) {
        int rises = score > topic->score, falls = score < topic->score;
        topic->contradicts |= (rises & (rank > topic->rank)) | (falls & (rank < topic->rank));
        topic->varies |= rises | falls;
        topic->is_uneven |= score != topic->score + 1;
    } else
        topic->is_uneven = score != 0 && score != 1;
    topic->score = score, topic->rank = rank;
}

static Outcome read_line(Scan *scan)
{
    const char *start = scan->at;
    Word words[6] = {next_word(scan)};
    if (words[0].size && *start != '#') {
        for (int column = 1; column < 6; column++)
            words[column] = next_word(scan);
        Outcome outcome = READ;
        if (!scan->count || !is_same(words[0], scan->topics[scan->topic].qid))
            outcome = find_topic(scan, words[0]);
        if (outcome != READ)
            return outcome;
        if (!has_room((void **)&scan->rows, scan->size, &scan->space, sizeof *scan->rows))
            return NO_MEMORY;
        Row *row = scan->rows + scan->size++;
        int64_t rank;
        if (!words[5].size || (scan->tag.size && !is_same(words[5], scan->tag)) || next_word(scan).size || words[2].size > LONGEST_NAME || !number_of(scan, words[4], &row->score) ||
            !whole_of(words[3], &rank))
            return UNUSUAL;
        compare_ranks(scan->topics + scan->topic, row->score, rank);
        scan->infinite += row->score - row->score != 0;
        row->is.hash = hash_of(scan->known, words[2]);
        row->docno = words[2].start, row->size = (uint32_t)words[2].size;
        row->topic = (uint32_t)scan->topic, scan->topics[scan->topic].rows++;
        scan->first = scan->first.size ? scan->first : words[2], scan->tag = words[5];
    }
    while (next_word(scan).size)
        ;
    return scan->at - start > LONGEST_LINE ? UNUSUAL : READ;
}

static Outcome read_lines(Scan *scan, const char *end)
{
    for (Outcome outcome = READ; scan->at < end; scan->at += *scan->at == '\n')
        if ((outcome = read_line(scan)) != READ || (scan->at < end && *scan->at != '\n'))
            return outcome == NO_MEMORY ? NO_MEMORY : UNUSUAL;
    return scan->count ? end_topics(scan) : UNUSUAL;
}

static PyObject *result_of(const Scan *scan)
{
    PyObject *qids = PyList_New((Py_ssize_t)scan->count), *lengths = PyList_New((Py_ssize_t)scan->count);
    for (size_t topic = 0; qids && lengths && topic < scan->count; topic++) {
        Word qid = scan->topics[topic].qid;
        PyList_SetItem(qids, (Py_ssize_t)topic, PyUnicode_FromStringAndSize(qid.start, (Py_ssize_t)qid.size));
        PyList_SetItem(lengths, (Py_ssize_t)topic, PyLong_FromSize_t(scan->topics[topic].rows));
    }
    Py_ssize_t size = (Py_ssize_t)scan->judged * 8, counts[4] = {0};
    for (const Topic *topic = scan->topics; topic < scan->topics + scan->count; topic++)
        if (topic->rows > 1) {
            counts[0]++, counts[1] += topic->contradicts;
            counts[2] += !topic->varies, counts[3] += !topic->is_uneven;
        }
    PyObject *found = PyErr_Occurred() ? NULL : Py_BuildValue(
        "(OOy#y#s#s#(nnnnnn))", qids, lengths, (const char *)scan->row, size, (const char *)scan->judgment, size,
        scan->tag.start, (Py_ssize_t)scan->tag.size, scan->first.start, (Py_ssize_t)scan->first.size,
        counts[0], counts[1], counts[2], counts[3], (Py_ssize_t)0, (Py_ssize_t)scan->infinite);
    Py_XDECREF(qids);
    Py_XDECREF(lengths);
    return found;
}

static PyObject *scan(PyObject *module, PyObject *arguments)
{
    PyObject *data;
    Known known = {0};
    Py_ssize_t of_text, of_keys, of_slots;
    if (!PyArg_ParseTuple(arguments, "S(y#y#y#y#)y#:scan", &data, &known.text, &of_text, &known.offsets, &known.names,
                          &known.starts, &known.parts, &known.keys, &of_keys, &known.slots, &of_slots))
        return NULL;
    known.names = known.names / 8 - 1, known.parts = known.parts / 8 - 1;
    const char *start = PyBytes_AsString(data), *end = start + PyBytes_Size(data);
    Scan scan = {.known = &known, .at = start, .has_points = !strcmp(localeconv()->decimal_point, ".")};
    Outcome outcome = NO_MEMORY;
    Py_BEGIN_ALLOW_THREADS
    scan.number = calloc((size_t)known.parts, sizeof *scan.number);
    scan.row = malloc((size_t)known.names * 8 + 8);
    scan.judgment = malloc((size_t)known.names * 8 + 8);
    if (scan.number && scan.row && scan.judgment)
        outcome = read_lines(&scan, end);
    Py_END_ALLOW_THREADS
    PyObject *result = outcome == READ ? result_of(&scan) : outcome == UNUSUAL ? Py_NewRef(Py_None) : PyErr_NoMemory();
    void *mine[] = {scan.number, scan.row, scan.judgment, scan.topics, scan.rows, scan.hashes};
    for (size_t each = 0; each < sizeof mine / sizeof *mine; each++)
        free(mine[each]);
    return result;
}

static PyObject *slots(PyObject *module, PyObject *arguments)
{
    const int64_t *sizes;
    Known known = {0};
    Py_ssize_t of_text, of_keys, of_sizes;
    if (!PyArg_ParseTuple(arguments, "y#(y#y#y#y#):slots", &sizes, &of_sizes, &known.text, &of_text, &known.offsets,
                          &known.names, &known.starts, &known.parts, &known.keys, &of_keys))
        return NULL;
    Py_ssize_t size = (Py_ssize_t)(known.starts[known.parts / 8 - 1] * (int64_t)sizeof(Slot));
    PyObject *made = PyBytes_FromStringAndSize(NULL, size);
    if (!made)
        return NULL;
    known.slots = memset(PyBytes_AsString(made), 0, (size_t)size);
    uint32_t number = 1;
    for (int64_t part = 0; part < of_sizes / 8; part++)
        for (int64_t left = sizes[part]; left; left--, number++) {
            const int64_t *end = known.offsets + number;
            Word name = {known.text + end[-1], (size_t)(end[0] - end[-1])};
            if (name.size > LONGEST_NAME)
                continue; /* it is unusual where it is read */
            uint64_t hash = hash_of(&known, name);
            *slot_of(&known, part, hash, name) = (Slot){(uint32_t)(hash >> 32), number};
        }
    return made;
}

/* A document of a dict, which lives as long as the dict; the judgment is -1 for none. */
typedef struct {
    double score;
    int64_t judgment;
    PyObject *docno;
} Retrieved;

static int best_retrieved_first(const void *one, const void *other)
{
    const Retrieved *left = one, *right = other;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    return PyUnicode_Compare(right->docno, left->docno);
}

/* A float, or a whole number of 64 bits. */
static int score_of(PyObject *value, double *score)
{
    int is_large = 0;
    if (PyFloat_Check(value))
        *score = PyFloat_AsDouble(value);
    else if (PyLong_CheckExact(value))
        *score = (double)PyLong_AsLongLongAndOverflow(value, &is_large);
    else
        return 0;
    return !is_large && *score == *score;
}

static Outcome read_dict(PyObject *retrieved, PyObject *judgments, Retrieved *rows)
{
    PyObject *docno, *value;
    Py_ssize_t at = 0;
    for (Retrieved *row = rows; PyDict_Next(retrieved, &at, &docno, &value); row++) {
        if (!PyUnicode_CheckExact(docno) || !score_of(value, &row->score))
            return UNUSUAL;
        PyObject *judgment = PyDict_GetItemWithError(judgments, docno);
        row->docno = docno, row->judgment = judgment ? PyLong_AsLongLong(judgment) : -1;
    }
    return PyErr_Occurred() ? NO_MEMORY : READ;
}

static PyObject *judged_of(Retrieved *rows, size_t size)
{
    size_t judged = 0;
    int is_ordered = 1;
    for (size_t row = 1; row < size && is_ordered; row++)
        is_ordered = best_retrieved_first(rows + row - 1, rows + row) < 0;
    if (!is_ordered)
        qsort(rows, size, sizeof *rows, best_retrieved_first);
    int64_t *found = malloc((2 * size + 1) * sizeof *found);
    if (!found)
        return PyErr_NoMemory();
    for (size_t row = 0; row < size; row++)
        if (rows[row].judgment >= 0)
            found[judged++] = (int64_t)row + 1, found[judged++] = rows[row].judgment;
    PyObject *result = PyBytes_FromStringAndSize((const char *)found, (Py_ssize_t)(judged * sizeof *found));
    free(found);
    return result;
}

static PyObject *meet(PyObject *module, PyObject *arguments)
{
    PyObject *retrieved, *judgments, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO!:meet", &retrieved, &PyDict_Type, &judgments))
        return NULL;
    if (!PyDict_CheckExact(retrieved))
        return Py_NewRef(Py_None);
    size_t size = (size_t)PyDict_Size(retrieved);
    Retrieved *rows = malloc((size + 1) * sizeof *rows);
    Outcome outcome = rows ? read_dict(retrieved, judgments, rows) : NO_MEMORY;
    if (outcome == READ)
        result = judged_of(rows, size);
    else if (outcome == UNUSUAL)
        result = Py_NewRef(Py_None);
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    free(rows);
    return result;
}

/* A whole number of at most MOST_DIGITS digits. */
static int grade_of(PyObject *value, int64_t *grade)
{
    const int64_t beyond = 1000000000000000000;
    int is_large = 1;
    if (PyLong_CheckExact(value))
        *grade = PyLong_AsLongLongAndOverflow(value, &is_large);
    return !is_large && *grade < beyond && *grade > -beyond;
}

static Outcome number_documents(PyObject *documents, Py_ssize_t first, PyObject *places, int64_t *grades)
{
    PyObject *docno, *value;
    for (Py_ssize_t at = 0; PyDict_Next(documents, &at, &docno, &value); first++) {
        if (!PyUnicode_CheckExact(docno) || !grade_of(value, grades++))
            return UNUSUAL;
        PyObject *place = PyLong_FromSsize_t(first);
        int is_added = place && !PyDict_SetItem(places, docno, place);
        Py_XDECREF(place);
        if (!is_added)
            return NO_MEMORY;
    }
    return READ;
}

static PyObject *number(PyObject *module, PyObject *arguments)
{
    PyObject *documents, *places, *result = NULL;
    Py_ssize_t first;
    if (!PyArg_ParseTuple(arguments, "On:number", &documents, &first))
        return NULL;
    if (!PyDict_CheckExact(documents))
        return Py_NewRef(Py_None);
    size_t size = (size_t)PyDict_Size(documents) * sizeof(int64_t);
    int64_t *grades = malloc(size + 1);
    if ((places = PyDict_Copy(documents)) && grades) {
        Outcome outcome = number_documents(documents, first, places, grades);
        if (outcome == READ)
            result = Py_BuildValue("Oy#", places, (const char *)grades, (Py_ssize_t)size);
        else if (outcome == UNUSUAL)
            result = Py_NewRef(Py_None);
    }
    if (!grades)
        PyErr_NoMemory();
    Py_XDECREF(places);
    free(grades);
    return result;
}

/* The names of an Arrow array of texts: name n is the bytes from offset n to the next one. */
typedef struct {
    Py_buffer offsets, text;
    Py_ssize_t size;
} Names;

/* A name that was met: its number from 1, 0 where the slot is free, and its place in the text of the union. */
typedef struct {
    uint32_t hash; /* the upper half */
    uint32_t name;
    uint32_t start, size;
} Met;

typedef struct {
    Known keys; /* of the hash */
    Met *slots;
    uint64_t count, room; /* of slots, a power of two, at most half of which are taken */
    char *text;
    size_t size, space; /* of the text */
    int32_t *offsets;
    size_t names, places; /* places for offsets */
} Union;

/* Room for the text of one more name, and for where it ends. */
static int has_space(Union *all, size_t more)
{
    if (all->size + more >= all->space) {
        size_t space = 2 * (all->size + more) + LONGEST_NAME;
        char *larger = realloc(all->text, space);
        if (!larger)
            return 0;
        all->text = larger, all->space = space;
    }
    return has_room((void **)&all->offsets, all->names + 1, &all->places, sizeof *all->offsets);
}

static int has_slots(Union *all)
{
    if (2 * (all->count + 1) <= all->room)
        return 1;
    uint64_t room = all->room ? 4 * all->room : 1 << 12, mask = room - 1;
    Met *slots = calloc(room, sizeof *slots);
    if (!slots)
        return 0;
    for (uint64_t slot = 0; slot < all->room; slot++)
        if (all->slots[slot].name) {
            uint64_t at = all->slots[slot].hash & mask;
            while (slots[at].name)
                at = (at + 1) & mask;
            slots[at] = all->slots[slot];
        }
    free(all->slots);
    all->slots = slots, all->room = room;
    return 1;
}

/* The number of a name from 0; new names get the next one. */
static Outcome number_name(Union *all, Word name, uint32_t hash, int32_t *number)
{
    if (!has_slots(all))
        return NO_MEMORY;
    uint64_t mask = all->room - 1, at = hash & mask;
    for (; all->slots[at].name; at = (at + 1) & mask) {
        const Met *met = all->slots + at;
        if (met->hash == hash && is_same((Word){all->text + met->start, met->size}, name)) {
            *number = (int32_t)met->name - 1;
            return READ;
        }
    }
    if (all->size + name.size > INT32_MAX || all->names == INT32_MAX)
        return UNUSUAL;
    if (!has_space(all, name.size))
        return NO_MEMORY;
    memcpy(all->text + all->size, name.start, name.size);
    *number = (int32_t)all->names++;
    all->slots[at] = (Met){hash, (uint32_t)all->names, (uint32_t)all->size, (uint32_t)name.size};
    all->size += name.size, all->count++;
    all->offsets[all->names] = (int32_t)all->size;
    return READ;
}

/* A name of an Arrow array; 0 where it is outside of the text or too long. */
static int get_name(const Names *names, Py_ssize_t at, Word *name)
{
    const int32_t *offsets = (const int32_t *)names->offsets.buf + at;
    if (offsets[0] < 0 || offsets[1] < offsets[0] || offsets[1] > names->text.len ||
        offsets[1] - offsets[0] > LONGEST_NAME)
        return 0;
    *name = (Word){(const char *)names->text.buf + offsets[0], (size_t)(offsets[1] - offsets[0])};
    return 1;
}

/* The numbers of names, some at a time: what the table and the text have of them is fetched before it is compared. */
static Outcome number_names(Union *all, const Names *names, int32_t *numbers)
{
    for (Py_ssize_t start = 0; start < names->size; start += AHEAD) {
        Word some[AHEAD];
        uint32_t hashes[AHEAD];
        Py_ssize_t size = names->size - start < AHEAD ? names->size - start : AHEAD;
        for (Py_ssize_t each = 0; each < size; each++) {
            if (!get_name(names, start + each, some + each))
                return UNUSUAL;
            hashes[each] = (uint32_t)(hash_of(&all->keys, some[each]) >> 32);
            if (all->room)
                PREFETCH(all->slots + (hashes[each] & (all->room - 1)));
        }
        for (Py_ssize_t each = 0; all->room && each < size; each++) {
            const Met *met = all->slots + (hashes[each] & (all->room - 1));
            if (met->name)
                PREFETCH(all->text + met->start);
        }
        for (Py_ssize_t each = 0; each < size; each++) {
            Outcome outcome = number_name(all, some[each], hashes[each], numbers + start + each);
            if (outcome != READ)
                return outcome;
        }
    }
    return READ;
}

static int get_names(PyObject *pair, Names *names)
{
    PyObject *offsets = PySequence_GetItem(pair, 0), *text = PySequence_GetItem(pair, 1);
    int is_there = offsets && text && !PyObject_GetBuffer(offsets, &names->offsets, PyBUF_SIMPLE) &&
                   !PyObject_GetBuffer(text, &names->text, PyBUF_SIMPLE);
    Py_XDECREF(offsets);
    Py_XDECREF(text);
    names->size = is_there ? names->offsets.len / (Py_ssize_t)sizeof(int32_t) - 1 : 0;
    return is_there;
}

static PyObject *numbers_of(Union *all, const Names *several, Py_ssize_t count)
{
    Py_ssize_t rows = 0;
    for (Py_ssize_t each = 0; each < count; each++)
        rows += several[each].size > 0 ? several[each].size : 0;
    PyObject *made = PyBytes_FromStringAndSize(NULL, rows * (Py_ssize_t)sizeof(int32_t)), *result = NULL;
    if (!made)
        return NULL;
    int32_t *numbers = (int32_t *)PyBytes_AsString(made);
    Outcome outcome = READ;
    Py_BEGIN_ALLOW_THREADS
    if (has_room((void **)&all->offsets, 0, &all->places, sizeof *all->offsets) && has_space(all, 0))
        all->offsets[0] = 0;
    else
        outcome = NO_MEMORY;
    for (Py_ssize_t each = 0; outcome == READ && each < count; each++) {
        outcome = number_names(all, several + each, numbers);
        numbers += several[each].size > 0 ? several[each].size : 0;
    }
    Py_END_ALLOW_THREADS
    if (outcome == READ)
        result = Py_BuildValue("Oy#y#", made, all->text, (Py_ssize_t)all->size, (const char *)all->offsets,
                               (Py_ssize_t)((all->names + 1) * sizeof *all->offsets));
    else
        result = outcome == UNUSUAL ? Py_NewRef(Py_None) : PyErr_NoMemory();
    Py_DECREF(made);
    return result;
}

static PyObject *hashes(PyObject *module, PyObject *arguments)
{
    PyObject *pair, *made = NULL;
    Known keys = {0};
    Py_ssize_t of_keys, row = 0;
    Names names = {0};
    if (!PyArg_ParseTuple(arguments, "y#O!:hashes", &keys.keys, &of_keys, &PyTuple_Type, &pair))
        return NULL;
    if (get_names(pair, &names)) {
        Py_ssize_t size = names.size > 0 ? names.size : 0;
        made = PyBytes_FromStringAndSize(NULL, size * (Py_ssize_t)sizeof(uint64_t));
        uint64_t *found = made ? (uint64_t *)PyBytes_AsString(made) : NULL;
        Word name;
        Py_BEGIN_ALLOW_THREADS
        while (found && row < size && get_name(&names, row, &name))
            found[row++] = hash_of(&keys, name);
        Py_END_ALLOW_THREADS
        if (made && row < size) {
            Py_DECREF(made);
            made = Py_NewRef(Py_None);
        }
    }
    PyBuffer_Release(&names.offsets);
    PyBuffer_Release(&names.text);
    return made;
}

static PyObject *unite(PyObject *module, PyObject *arguments)
{
    PyObject *pairs, *result = NULL;
    Union all = {0};
    Py_ssize_t of_keys, count, taken = 0;
    if (!PyArg_ParseTuple(arguments, "y#O!:unite", &all.keys.keys, &of_keys, &PyTuple_Type, &pairs))
        return NULL;
    count = PyTuple_Size(pairs);
    Names *several = calloc((size_t)count + 1, sizeof *several);
    if (!several)
        return PyErr_NoMemory();
    while (taken < count && get_names(PyTuple_GetItem(pairs, taken), several + taken))
        taken++;
    if (taken == count)
        result = numbers_of(&all, several, count);
    for (Py_ssize_t each = 0; each < count; each++) {
        PyBuffer_Release(&several[each].offsets);
        PyBuffer_Release(&several[each].text);
    }
    void *mine[] = {several, all.slots, all.text, all.offsets};
    for (size_t each = 0; each < sizeof mine / sizeof *mine; each++)
        free(mine[each]);
    return result;
}

static PyMethodDef methods[] = {
    {"slots", slots, METH_VARARGS, "slots(sizes, names): where names are found, so many in each part."},
    {"scan", scan, METH_VARARGS, "scan(data, names, slots): what lines of a run have of them; None if unusual."},
    {"meet", meet, METH_VARARGS, "meet(retrieved, judgments): rank and judgment of the judged; None if unusual."},
    {"number", number, METH_VARARGS, "number(documents, first): places from first, and grades; None if unusual."},
    {"unite", unite, METH_VARARGS, "unite(keys, names): numbers of names, and the different ones; None if unusual."},
    {"hashes", hashes, METH_VARARGS, "hashes(keys, names): a number for each name; None if unusual."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "scanner", .m_methods = methods};

PyMODINIT_FUNC PyInit_scanner(void)
{
    return PyModuleDef_Init(&definition);
}
