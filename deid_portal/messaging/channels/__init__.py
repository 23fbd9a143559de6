"""The ways out of the portal: a mail server, and the robots of group chats."""
