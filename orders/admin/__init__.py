from orders.admin import catalogue, dated, documents, orders, payments, promos, weeks
