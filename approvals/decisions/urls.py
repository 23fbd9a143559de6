from django.urls import URLPattern

app_name = "decisions"
urlpatterns: list[URLPattern] = []
