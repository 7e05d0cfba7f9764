from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "config.realtime"
    label = "realtime"
    verbose_name = "Temps réel"
