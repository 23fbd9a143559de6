"""Every component with realistic content and in each of its states. The examples touch no project."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from deid_portal.access import for_staff
from deid_portal.ui import samples
from deid_portal.ui.gallery_forms import DecisionExampleForm, FilterExampleForm, ObjectiveExampleForm
from deid_portal.ui.icons import ICONS

JOB_STEPS = 6


@require_GET
@for_staff
def gallery(request: HttpRequest) -> HttpResponse:
    """The gallery; ``?invalid`` shows the example form as it looks after a refusal."""
    request.session.pop("gallery_job", None)
    refused = ObjectiveExampleForm({"name": "", "threshold": "7", "k": "1"})
    form = refused if "invalid" in request.GET else ObjectiveExampleForm(initial=samples.form_initial())
    context = {
        "form": form,
        "filter": FilterExampleForm(request.GET or None, prefix="log"),
        "refused": ObjectiveExampleForm({"name": "", "threshold": "7"}, prefix="refused"),
        "decision": DecisionExampleForm(prefix="decision"),
        "page": Paginator(range(238), 20).get_page(request.GET.get("page", 3)),
        "poll_url": reverse("ui:gallery_job"),
        "icon_names": sorted(ICONS),
        **samples.all_samples(),
    }
    return render(request, "gallery/page.html", context)


@require_http_methods(["GET", "POST"])
@for_staff
def gallery_form(request: HttpRequest) -> HttpResponse:
    """The example form on a page of its own; a valid one is thanked for and thrown away."""
    form = ObjectiveExampleForm(request.POST or None, request.FILES or None, initial=samples.form_initial())
    if request.method == "POST" and form.is_valid():
        messages.success(request, _("The example was accepted. Nothing was stored."))
        return redirect("ui:gallery_form")
    return render(request, "gallery/form.html", {"form": form, "stages": samples.stages()})


@require_GET
@for_staff
def gallery_job(request: HttpRequest) -> HttpResponse:
    """An example job that moves a step at every poll and then ends."""
    step = int(request.session.get("gallery_job", 2)) + 1
    request.session["gallery_job"] = step
    job = samples.running_job() | {"percent": min(100, round(step / JOB_STEPS * 100))}
    if step >= JOB_STEPS:
        job |= {"state": "done", "estimate": "", "message": _("The result file is whole and sealed.")}
    context = {"job": job, "poll_url": reverse("ui:gallery_job"), "done_url": reverse("ui:gallery")}
    return render(request, "gallery/job.html", context)
