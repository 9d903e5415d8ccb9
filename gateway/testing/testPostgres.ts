/** How the run's set-up tells its workers where PostgreSQL is. */
export const ADMIN_URL_VARIABLE = 'ATELIER_TEST_POSTGRES';
export const FOLDER_VARIABLE = 'ATELIER_TEST_FOLDER';
export const TEMPLATE = 'atelier_template';
