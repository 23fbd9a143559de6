"""Destruction of a key is two persons' act. Rows from before have no proposal: what one person destroyed then stays destroyed, and
live keys wait for nobody."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0008_tours'),
        ('vault', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='secret',
            name='proposed_at',
            field=models.DateTimeField(null=True, verbose_name='Destruction proposed'),
        ),
        migrations.AddField(
            model_name='secret',
            name='proposed_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='secret',
            name='proposed_why',
            field=models.TextField(blank=True, default='', verbose_name='Reason'),
        ),
        migrations.AddConstraint(
            model_name='secret',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('proposed_at', None), ('proposed_by', None), ('proposed_why', '')), models.Q(('proposed_at__isnull', False), ('proposed_by__isnull', False), models.Q(('proposed_why', ''), _negated=True)), _connector='OR'), name='secret_proposal_whole_or_absent'),
        ),
        migrations.AddConstraint(
            model_name='secret',
            constraint=models.CheckConstraint(condition=models.Q(('proposed_by', None), ('destroyed_by', None), models.Q(('destroyed_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='secret_destroyed_by_a_second_person'),
        ),
    ]
