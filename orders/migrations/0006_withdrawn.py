from django.db import migrations, models

# What was sold for how much, and taxed by what, stays; withdrawing is the one change, and it is for good.
PRICES = """
CREATE OR REPLACE FUNCTION orders_productprice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.effective_at > clock_timestamp() THEN
        RETURN OLD;
    ELSIF TG_OP = 'UPDATE'
        AND (NEW.product, NEW.amount_cents, NEW.is_on_sale, NEW.effective_at)
            = (OLD.product, OLD.amount_cents, OLD.is_on_sale, OLD.effective_at)
        AND (OLD.withdrawn_at IS NULL OR NEW.withdrawn_at = OLD.withdrawn_at) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A price is never changed, and only one that has not begun is deleted.'
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
RATES = """
CREATE FUNCTION orders_vatrate_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.country, NEW.percent, NEW.valid_from, NEW.source) = (OLD.country, OLD.percent, OLD.valid_from, OLD.source)
        AND (OLD.withdrawn_at IS NULL OR NEW.withdrawn_at = OLD.withdrawn_at) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A VAT rate is never changed: it is withdrawn, and another one entered.'
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER vat_rate_stays BEFORE UPDATE ON orders_vatrate
FOR EACH ROW EXECUTE FUNCTION orders_vatrate_stays();
"""


class Migration(migrations.Migration):
    """Prices and rates can be withdrawn and stay in the history; disputed orders are counted by an index."""

    dependencies = [("orders", "0005_prices_stay")]

    operations = [
        migrations.AddField(
            model_name="productprice",
            name="withdrawn_at",
            field=models.DateTimeField(
                blank=True,
                help_text="From then on it is as if it had not been set; nobody had bought by it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="vatrate",
            name="withdrawn_at",
            field=models.DateTimeField(
                blank=True,
                help_text="From then on nothing is taxed by it; what was, stays as it was.",
                null=True,
            ),
        ),
        migrations.RemoveConstraint(model_name="vatrate", name="vat_rate_once_a_day"),
        migrations.AddConstraint(
            model_name="vatrate",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at", None)),
                fields=("country", "valid_from"),
                name="vat_rate_valid_once_a_day",
            ),
        ),
        migrations.AddIndex(
            model_name="order",
            index=models.Index(
                condition=models.Q(("status", "disputed")), fields=["created_at"], name="order_disputed"
            ),
        ),
        migrations.RunSQL(PRICES, migrations.RunSQL.noop),
        migrations.RunSQL(RATES, "DROP FUNCTION orders_vatrate_stays() CASCADE"),
    ]
