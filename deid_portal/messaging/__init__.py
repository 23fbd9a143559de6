"""Messages: mail and robots of group chats tell people what newly waits for them, is due soon or overdue."""
