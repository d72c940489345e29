from django.db import migrations

STAY = """
CREATE FUNCTION orders_invoice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an invoice never changes: a credit note corrects it';
END
$$;
CREATE TRIGGER orders_invoice_stays BEFORE UPDATE OR DELETE ON orders_invoice
    FOR EACH ROW EXECUTE FUNCTION orders_invoice_stays();
"""
GO = "DROP TRIGGER orders_invoice_stays ON orders_invoice; DROP FUNCTION orders_invoice_stays();"


class Migration(migrations.Migration):
    """Documents that were issued can be neither changed nor deleted, whoever tries."""

    dependencies = [("orders", "0002_default_catalogue")]

    operations = [migrations.RunSQL(STAY, GO)]
