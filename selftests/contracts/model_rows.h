/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_MODEL_ROWS_H
#define CONTRACTS_MODEL_ROWS_H

/* The table models as it was when this was built. */
extern const char *const contract_models;

/* What is wrong with the table models, "" if nothing is. */
const char *model_rows_complaint(void);

#endif /* CONTRACTS_MODEL_ROWS_H */
