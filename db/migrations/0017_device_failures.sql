-- Why a device could not be read, while that lasts.
CREATE TABLE "device_failures" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE "device_failures" ADD CONSTRAINT "device_failures_device_id_devices_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "devices"("device_id") ON DELETE cascade;
