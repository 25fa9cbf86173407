-- How far the clock of the device was ahead when it sent a message: the message keeps the time at which it was received.
alter table syslog add column clock_drift integer;
