from django.db import migrations

# The former release writes capitals as they were typed, and runs until it is restarted; ours looks for small letters.
FORM = """
CREATE FUNCTION accounts_user_email_in_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.email := lower(NEW.email COLLATE "C");
    RETURN NEW;
END
$$;
CREATE TRIGGER user_email_in_form BEFORE INSERT OR UPDATE OF email ON accounts_user
FOR EACH ROW WHEN (NEW.email ~ '^[!-~]+$' AND NEW.email ~ '[A-Z]') EXECUTE FUNCTION accounts_user_email_in_form();
UPDATE accounts_user SET email = email WHERE email ~ '^[!-~]+$' AND email ~ '[A-Z]';
"""
BACK = "DROP FUNCTION accounts_user_email_in_form() CASCADE"


class Migration(migrations.Migration):
    """Addresses that are written during an upgrade get their one form, too."""

    dependencies = [("accounts", "0008_normal_addresses")]

    operations = [migrations.RunSQL(FORM, BACK)]
