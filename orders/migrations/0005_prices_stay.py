from django.db import migrations, models

# `set_by` may be emptied when its account is erased; what was sold for how much, and when, stays.
KEEP = """
CREATE FUNCTION orders_productprice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.effective_at > clock_timestamp() THEN
        RETURN OLD;
    ELSIF TG_OP = 'UPDATE'
        AND (NEW.product, NEW.amount_cents, NEW.is_on_sale, NEW.effective_at)
            = (OLD.product, OLD.amount_cents, OLD.is_on_sale, OLD.effective_at) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'A price is never changed, and only one that has not begun is withdrawn.'
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER product_price_stays BEFORE UPDATE OR DELETE ON orders_productprice
FOR EACH ROW EXECUTE FUNCTION orders_productprice_stays();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0004_order_payer'),
    ]

    operations = [
        migrations.AddField(
            model_name='payment',
            name='answer_by',
            field=models.DateTimeField(blank=True, help_text='Until when its dispute can be answered at the provider.', null=True),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(fields=['provider_reference'], name='payment_at_provider'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(condition=models.Q(('charge_reference', ''), _negated=True), fields=['charge_reference'], name='payment_charge'),
        ),
        migrations.AddIndex(
            model_name='providerevent',
            index=models.Index(fields=['event_id'], name='provider_event_id'),
        ),
        migrations.AddIndex(
            model_name='providerevent',
            index=models.Index(fields=['reference'], name='provider_event_about'),
        ),
        migrations.RunSQL(KEEP, "DROP FUNCTION orders_productprice_stays() CASCADE"),
    ]
