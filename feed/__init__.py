"""What a server tells the world: events, their JSON and topics, and the way to an MQTT broker."""
