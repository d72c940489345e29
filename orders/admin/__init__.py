from orders.admin import dated, documents, orders, payments, promos, weeks
