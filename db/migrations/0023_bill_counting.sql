-- Bills are counted again wherever a late sample falls, and know what they do not know.

-- A port counts from `since` on; a port that was taken out counts until then.
ALTER TABLE "bill_ports" ADD COLUMN "since" timestamp with time zone DEFAULT '-infinity' NOT NULL;
CREATE TABLE "bill_ports_past" (
	"bill_id" integer NOT NULL,
	"port_id" integer NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "bill_ports_past_bill_port_since" PRIMARY KEY("bill_id","port_id","since")
);
ALTER TABLE "bill_ports_past" ADD CONSTRAINT "bill_ports_past_bill_id_bills_bill_id_fk" FOREIGN KEY ("bill_id") REFERENCES "bills"("bill_id") ON DELETE cascade;
ALTER TABLE "bill_ports_past" ADD CONSTRAINT "bill_ports_past_port_id_ports_port_id_fk" FOREIGN KEY ("port_id") REFERENCES "ports"("port_id") ON DELETE cascade;
CREATE INDEX "bill_ports_past_port" ON "bill_ports_past" ("port_id");

-- Seconds in which ports of the bill are unknown, and the octets they carry at line rate. Rows of earlier versions and
-- of other programs have none; such rows may be of any length and are summed by 5 minutes.
ALTER TABLE "bill_data" ADD COLUMN "unknown_s" integer;
ALTER TABLE "bill_data" ADD COLUMN "unknown_octets" bigint;
-- A bill's rows lie as far apart as its 5 minutes: its figures are read from the index alone, where vacuum has been.
ALTER TABLE "bill_data" DROP CONSTRAINT "bill_data_bill_timestamp";
ALTER TABLE "bill_data" ADD CONSTRAINT "bill_data_bill_timestamp" UNIQUE ("bill_id","timestamp")
	INCLUDE ("period","in_delta","out_delta","unknown_s");
ALTER TABLE "bill_data" SET (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX "bill_data_foreign" ON "bill_data" ("bill_id","timestamp") WHERE "unknown_s" IS NULL;

-- Traffic is counted up to `counted_upto`; nothing up to `counted_from` is counted again. `due`: the figures are out of date.
ALTER TABLE "bills" ADD COLUMN "counted_from" timestamp with time zone;
ALTER TABLE "bills" ADD COLUMN "counted_upto" timestamp with time zone;
ALTER TABLE "bills" ADD COLUMN "due" boolean DEFAULT true NOT NULL;
UPDATE "bills" b SET "counted_from" = r.last, "counted_upto" = r.last
  FROM (SELECT "bill_id", max("timestamp") AS last FROM "bill_data" GROUP BY "bill_id") r WHERE r."bill_id" = b."bill_id";

-- Time of samples that came late, by port. No foreign keys: a port that is deleted meanwhile must not stop the writer.
CREATE TABLE "bill_late" (
	"port_id" integer PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL
);
-- Pairs of octet counters of billed ports that gave no delta, with the time that is unknown for it.
CREATE TABLE "port_refusals" (
	"port_id" integer NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "port_refusals_port_timestamp" PRIMARY KEY("port_id","timestamp")
);
CREATE INDEX "port_refusals_timestamp" ON "port_refusals" ("timestamp");

-- The samples of a deleted port go with it: what they were counted as must stay.
CREATE FUNCTION "keep_counted_bills"() RETURNS trigger LANGUAGE plpgsql AS $f$
BEGIN
  UPDATE bills b SET counted_from = b.counted_upto
  WHERE b.counted_upto IS NOT NULL AND b.bill_id IN (
    SELECT o.bill_id FROM old_rows o WHERE NOT EXISTS (SELECT FROM ports p WHERE p.port_id = o.port_id));
  DELETE FROM port_refusals r USING old_rows o
  WHERE r.port_id = o.port_id AND NOT EXISTS (SELECT FROM ports p WHERE p.port_id = o.port_id);
  RETURN NULL;
END $f$;
CREATE TRIGGER "keep_counted_bills" AFTER DELETE ON "bill_ports" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_counted_bills"();
CREATE TRIGGER "keep_counted_bills" AFTER DELETE ON "bill_ports_past" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_counted_bills"();
