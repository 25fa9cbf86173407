-- Names of autonomous systems that the DNS gave.
CREATE TABLE "as_names" (
	"asn" bigint PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
