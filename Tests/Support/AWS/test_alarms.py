"""Rules for alarms, metric filters and the dashboard."""
import fnmatch, json, re, unittest
from rendered import Rendered
from stack import ROOT

# Alarms of deploy/monitoring/rules.yml and their counterparts here.
ALARMS = {
    "PhotolalaDown": ["ApiFails", "ApiThrottled"], "PhotolalaRequestsFail": ["RequestsFail"],
    "PhotolalaS3Fails": ["BucketFails"], "PhotolalaManyNewAccounts": ["ManyNewAccounts"],
    "PhotolalaSignInsRejected": ["SignInsRejected"], "PhotolalaSignInsIncomplete": ["SignInsIncomplete"],
    "PhotolalaUnusualAccess": ["UnusualAccess"], "PhotolalaRefreshReuse": ["RefreshReuse"],
    "PhotolalaQuotaAttempts": ["QuotaAttempts"], "PhotolalaStoreSlow": ["StoreSlow"],
    "PhotolalaStoreFails": ["StoreFails"], "PhotolalaCredentialsSlow": ["CredentialsSlow", "CredentialsFail"],
    "PhotolalaUploadsSlow": ["TransfersSlow"], "PhotolalaDownloadsSlow": ["TransfersSlow", "BucketSlow"],
    "PhotolalaProviderDown": ["AppleDown", "GoogleDown"],
    "PhotolalaJobOverdue": [
        "JobOverdue", "ConsentOverdue", "NotificationsOverdue", "FailedJobs", "JobsFail", "JobsStopped"], "PhotolalaDeletionsOverdue": ["DeletionsOverdue"],
    "PhotolalaUsageDrift": ["UsageDrift"], "PhotolalaEventsWait": ["EventsWait"],
    "PhotolalaMailWaits": ["MailWaits"],
    # A bucket has no disk, and AWS renews the certificates of function URLs and CloudFront.
    "PhotolalaDiskFull": [], "PhotolalaCertificateExpires": [],
}


def metrics():
    """Returns the labels of each metric in Sources/Monitoring."""
    source = (ROOT / "Sources/Monitoring/ServiceMetric.swift").read_text()
    found = re.findall(r'MetricDefinition\(\s*"(\w+)", \.\w+,(?: labels: \[([^\]]*)\],)?', source)
    return {name: re.findall(r'"(\w+)"', labels) for name, labels in found}


class AlarmTests(Rendered):
    def test_every_alarm_of_the_monitoring_rules_has_a_counterpart(self):
        rules = (ROOT / "deploy/monitoring/rules.yml").read_text()
        self.assertEqual(set(re.findall(r"alert: (\w+)", rules)), ALARMS.keys())
        named = {f"{name}Alarm" for names in ALARMS.values() for name in names}
        self.assertEqual(self.of_type("AWS::CloudWatch::Alarm").keys(), named)

    def test_alarms_last_as_long_as_the_monitoring_rules(self):
        rules = re.split(r"- alert: ", (ROOT / "deploy/monitoring/rules.yml").read_text())[1:]
        alarms = self.of_type("AWS::CloudWatch::Alarm")
        for rule in rules:
            name, minutes = rule.split("\n")[0], re.search(r"^ +for: (\d+)m$", rule, re.MULTILINE)
            for one in ALARMS[name] if minutes and name not in self.WITHOUT_A_COUNTERPART else []:
                alarm, seconds = alarms[f"{one}Alarm"], int(minutes[1]) * 60
                period = alarm.get("Period") or alarm["Metrics"][1]["MetricStat"]["Period"]
                self.assertGreaterEqual(period * alarm["EvaluationPeriods"], seconds, one)
                # A sum over one period says nothing of how long it lasted.
                self.assertTrue(alarm["DatapointsToAlarm"] > 1 or period > seconds, one)

    # Alarms on functions, not on a rate that lasts.
    WITHOUT_A_COUNTERPART = {"PhotolalaDown"}

    def test_each_job_has_an_alarm(self):
        shared = (ROOT / "Sources/UseCases/Jobs/JobLeases.swift").read_text().split("enum SharedJob")[1].split("var ")[0]
        names = {name if value is None else value for name, value in (
            (one[1], one[2]) for one in re.finditer(r'case (\w+)(?: = "([\w-]+)")?', shared))}
        self.assertIn("missed-notifications", names)
        watched = {
            label["Value"] for alarm in self.of_type("AWS::CloudWatch::Alarm").values()
            for query in alarm.get("Metrics", []) if "MetricStat" in query
            for label in query["MetricStat"]["Metric"].get("Dimensions", []) if label["Name"] == "job"}
        self.assertEqual(watched, names)
        # Those of each instance: all that fail.
        self.assertIn('case jobFailed = "job-failed"', (ROOT / "Sources/Monitoring/LogCode.swift").read_text())
        pattern = self.resources["FailedJobsTotal"]["Properties"]["FilterPattern"]
        self.assertTrue(matches(pattern, {"level": "error", "event": "job-failed", "job": "signing keys"}))
        self.assertFalse(matches(pattern, {"level": "info", "event": "job-succeeded", "job": "usage"}))

    def test_alarms_notify_and_name_a_section_of_the_manual(self):
        headings = re.findall(r"^#+ (.+)$", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^a-z0-9-]", "", heading.lower().replace(" ", "-")) for heading in headings}
        for name, alarm in self.of_type("AWS::CloudWatch::Alarm").items():
            self.assertEqual(alarm["AlarmActions"], ["AlarmTopic"], name)
            self.assertIn(alarm["AlarmDescription"].rsplit("docs/operations.md#", 1)[1], anchors, name)
            self.assertEqual(alarm["TreatMissingData"], "breaching" if name == "JobsStoppedAlarm" else "notBreaching")
            queries = alarm.get("Metrics", [])
            self.assertLessEqual(len(queries), 10)
            self.assertEqual(len([one for one in queries if one.get("ReturnData", True)]), 1 if queries else 0, name)
            for expression in (one["Expression"] for one in queries if "Expression" in one):
                used = set(re.findall(r"\b[a-z_]+\b", expression))
                self.assertEqual(used, {one["Id"] for one in queries} - {"value"}, name)

    def test_alarms_and_dashboard_use_metrics_that_exist(self):
        known = metrics()
        self.assertGreater(len(known), 25)
        totals = {
            one["MetricTransformations"][0]["MetricName"]:
                [pair["Key"] for pair in one["MetricTransformations"][0].get("Dimensions", [])]
            for one in self.of_type("AWS::Logs::MetricFilter").values()}
        used = set()

        def check(namespace, name, labels):
            if namespace == "Photolala/prod":
                self.assertEqual(labels, known[name], name)
            elif namespace == "Photolala/prod/totals":
                self.assertEqual(labels, totals[name], name)
                used.add(name)
            else:
                self.assertIn(namespace, ("AWS/Lambda", "AWS/S3"))

        for alarm in self.of_type("AWS::CloudWatch::Alarm").values():
            for one in [alarm] if "MetricName" in alarm else []:
                check(one["Namespace"], one["MetricName"], [label["Name"] for label in one.get("Dimensions", [])])
            for one in (query["MetricStat"]["Metric"] for query in alarm.get("Metrics", []) if "MetricStat" in query):
                check(one["Namespace"], one["MetricName"], [label["Name"] for label in one.get("Dimensions", [])])
        dashboard, = self.of_type("AWS::CloudWatch::Dashboard").values()
        for widget in json.loads(dashboard["DashboardBody"])["widgets"]:
            for metric in widget["properties"]["metrics"]:
                if isinstance(metric[0], dict):
                    schema, name = re.search(r"SEARCH\('\{([^}]+)\} MetricName=\"(\w+)\"'", metric[0]["expression"]).groups()
                    namespace, *labels = schema.split(",")
                    check(namespace, name, labels)
                else:
                    texts = [part for part in metric if isinstance(part, str)]
                    check(texts[0], texts[1], texts[2::2])
        self.assertEqual(used, totals.keys())

    def test_metric_filters_add_up_the_lines_of_the_metrics(self):
        known = metrics()
        lines = [{"photolala_accounts_created_total": 3, "provider": "apple"},
                 *({"photolala_sign_ins_total": 2, "provider": "apple", "outcome": outcome}
                   for outcome in ("success", "unlinked", "failed", "rejected", "conflict")),
                 *({"http_server_request_duration_seconds": {"Count": 5, "Sum": 1}, "route": "/", "method": "GET",
                    "status": status} for status in ("200", "404", "500", "503")),
                 *({"photolala_store_request_seconds": {"Count": 7}, "operation": "get", "outcome": outcome}
                   for outcome in ("success", "missing", "conflict", "denied", "unavailable", "failure")),
                 *({"photolala_sts_request_seconds": {"Count": 11}, "outcome": outcome}
                   for outcome in ("success", "unavailable", "refused")),
                 *({"photolala_provider_request_seconds": {"Count": 13}, "provider": "apple", "call": "keys",
                    "outcome": outcome} for outcome in ("answered", "refused", "failed", "unreachable")),
                 {"photolala_rate_limited_total": 17, "limit": "address"}, {"photolala_refresh_reuse_total": 19},
                 {"photolala_quota_refusals_total": 23}, {"event": "job-failed", "job": "usage"}, {"level": "info", "message": "photolala_accounts_created_total"}]
        for line in lines[:-2]:
            name = next(key for key in line if key in known)
            self.assertEqual([key for key in line if key != name], known[name])
        sums = {}
        for one in self.of_type("AWS::Logs::MetricFilter").values():
            transformation, = one["MetricTransformations"]
            path = transformation["MetricValue"]
            sums[transformation["MetricName"]] = sum(
                1 if path == "1" else value(line, path) for line in lines if matches(one["FilterPattern"], line))
        self.assertEqual(sums, {
            "requests": 20, "failed_requests": 10, "accounts_created": 3, "rejected_sign_ins": 2, "failed_sign_ins": 2,
            "finished_sign_ins": 6, "rate_limited": 17, "refresh_reuse": 19, "quota_refusals": 23, "store_requests": 42,
            "failed_store_requests": 21, "failed_credentials": 22, "provider_requests": 52, "failed_provider_requests": 39,
            "failed_jobs": 1})


def value(line, path):
    """Returns the member of a log line that a selector like `$.a.b` names."""
    for part in path.removeprefix("$.").split("."):
        if not isinstance(line, dict) or part not in line:
            return None
        line = line[part]
    return line


def matches(pattern, line):
    """Returns whether a filter pattern of CloudWatch Logs matches a JSON line, for the forms used here."""
    tokens = re.findall(r'[(){}]|&&|\|\||!=|=|\$[\w.]+|"[^"]*"|\*', pattern)
    assert "".join(tokens) == pattern.replace(" ", ""), pattern

    def condition():
        if tokens[0] == "(":
            tokens.pop(0)
            result = either()
            assert tokens.pop(0) == ")"
            return result
        found, operator, wanted = value(line, tokens.pop(0)), tokens.pop(0), tokens.pop(0).strip('"')
        if found is None:
            return False
        return fnmatch.fnmatchcase(str(found), wanted) == (operator == "=")

    def both():
        result = condition()
        while tokens[0] == "&&":
            tokens.pop(0)
            result = condition() and result
        return result

    def either():
        result = both()
        while tokens[0] == "||":
            tokens.pop(0)
            result = both() or result
        return result

    assert tokens.pop(0) == "{"
    result = either()
    assert tokens == ["}"]
    return result


if __name__ == "__main__":
    unittest.main()
