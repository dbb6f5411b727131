"""How functions, alarms and domains are created by AWS's APIs, and read back, for provision.py."""
import json


def create_function(account, it):
    name, concurrency = it["FunctionName"], it.pop("ReservedConcurrentExecutions", None)
    parameters = {key: it.pop(key) for key in list(it)}
    made = account.lambda_.create_function(**parameters)
    if concurrency is not None:
        account.lambda_.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=int(concurrency))
    return name, {"Arn": made["FunctionArn"]}


def read_function(account, name, made):
    found = account.lambda_.get_function(FunctionName=name)
    # moto does not return the log group, and the code only as an address.
    kept = {key: made[key] for key in ("Code", "LoggingConfig")}
    result = {key: found["Configuration"].get(key) for key in made if key not in kept}
    if "ReservedConcurrentExecutions" in made:
        limit = account.lambda_.get_function_concurrency(FunctionName=name)
        result["ReservedConcurrentExecutions"] = limit["ReservedConcurrentExecutions"]
    return {**result, **kept}


def create_url(account, it):
    made = account.lambda_.create_function_url_config(
        FunctionName=it.pop("TargetFunctionArn"), **{key: it.pop(key) for key in list(it)})
    return made["FunctionArn"], {"FunctionUrl": made["FunctionUrl"] + "/"}


def read_url(account, arn, made):
    found = account.lambda_.get_function_url_config(FunctionName=arn)
    return {"TargetFunctionArn": found["FunctionArn"], **{key: found[key] for key in made if key in found}}


def create_permission(account, it):
    statement = f"s{len(json.dumps(it))}-{it['Principal'].replace('*', 'all').replace('.', '-')}"
    account.lambda_.add_permission(StatementId=statement, **{key: it.pop(key) for key in list(it)})
    return statement, {}


def read_permission(account, statement, made):
    policy = json.loads(account.lambda_.get_policy(FunctionName=made["FunctionName"])["Policy"])
    found, = [one for one in policy["Statement"] if one["Sid"] == statement]
    principal = found["Principal"]
    result = {
        "FunctionName": found["Resource"].split(":")[6], "Action": found["Action"],
        "Principal": principal if isinstance(principal, str) else principal.get("Service") or principal.get("AWS"),
    }
    # moto does not store the conditions of function URLs.
    result.update({key: made[key] for key in ("FunctionUrlAuthType", "InvokedViaFunctionUrl") if key in made})
    if "SourceArn" in made:
        result["SourceArn"] = found["Condition"]["ArnLike"]["AWS:SourceArn"]
    return result


def create_invocation(account, it):
    account.lambda_.put_function_event_invoke_config(**{key: it.pop(key) for key in list(it)})
    return "invocation", {}


def read_invocation(account, _, made):
    found = account.lambda_.get_function_event_invoke_config(FunctionName=made["FunctionName"])
    return {**{key: found[key] for key in made if key in found},
            "FunctionName": found["FunctionArn"].split(":")[6], "Qualifier": made["Qualifier"]}


def create_rule(account, it):
    name, targets = it["Name"], it.pop("Targets")
    made = account.events.put_rule(**{key: it.pop(key) for key in list(it)})
    account.events.put_targets(Rule=name, Targets=targets)
    return name, {"Arn": made["RuleArn"]}


def read_rule(account, name, made):
    found = account.events.describe_rule(Name=name)
    return {**{key: found[key] for key in made if key in found},
            "Targets": account.events.list_targets_by_rule(Rule=name)["Targets"]}


# Logs, alarms

def create_logs(account, it):
    name = it.pop("LogGroupName")
    key = {"kmsKeyId": it.pop("KmsKeyId")} if "KmsKeyId" in it else {}
    account.logs.create_log_group(logGroupName=name, **key)
    account.logs.put_retention_policy(logGroupName=name, retentionInDays=it.pop("RetentionInDays"))
    return name, {"Arn": f"arn:aws:logs:us-east-1:123456789012:log-group:{name}:*"}


def read_logs(account, name, made):
    found, = account.logs.describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    result = {"LogGroupName": found["logGroupName"], "RetentionInDays": found["retentionInDays"]}
    return {**result, "KmsKeyId": found["kmsKeyId"]} if "KmsKeyId" in made else result


def lower(key):
    return key[0].lower() + key[1:]


def create_filter(account, it):
    transformations = [
        {**{lower(key): value for key, value in one.items() if key != "Dimensions"},
         **({"dimensions": {pair["Key"]: pair["Value"] for pair in one["Dimensions"]}} if "Dimensions" in one else {})}
        for one in it.pop("MetricTransformations")]
    name = transformations[0]["metricName"]
    account.logs.put_metric_filter(
        logGroupName=it.pop("LogGroupName"), filterName=name, filterPattern=it.pop("FilterPattern"),
        metricTransformations=transformations)
    return name, {}


def read_filter(account, name, made):
    found, = [one for one in account.logs.describe_metric_filters(logGroupName=made["LogGroupName"])["metricFilters"]
              if one["filterName"] == name]
    transformations = [
        {**{key[0].upper() + key[1:]: value for key, value in one.items() if key != "dimensions"},
         **({"Dimensions": [{"Key": key, "Value": value} for key, value in one["dimensions"].items()]}
            if "dimensions" in one else {})}
        for one in found["metricTransformations"]]
    return {"LogGroupName": found["logGroupName"], "FilterPattern": found["filterPattern"],
            "MetricTransformations": transformations}


def create_alarm(account, it):
    name = it["AlarmName"]
    parameters = {key: it.pop(key) for key in list(it)}
    account.cloudwatch.put_metric_alarm(**parameters)
    return name, {"Arn": f"arn:aws:cloudwatch:us-east-1:123456789012:alarm:{name}"}


def read_alarm(account, name, made):
    found, = account.cloudwatch.describe_alarms(AlarmNames=[name])["MetricAlarms"]
    if "Metrics" in made:
        for query in found["Metrics"]:
            if query.get("ReturnData") is True:
                del query["ReturnData"]
            metric = query.get("MetricStat", {}).get("Metric", {})
            if metric.get("Dimensions") == []:
                del metric["Dimensions"]
    return {key: found[key] for key in made if key in found}


def create_topic(account, it):
    key = {"Attributes": {"KmsMasterKeyId": it.pop("KmsMasterKeyId")}} if "KmsMasterKeyId" in it else {}
    arn = account.sns.create_topic(Name=it.pop("TopicName"), **key)["TopicArn"]
    return arn, {}


def read_topic(account, arn, made):
    found = account.sns.get_topic_attributes(TopicArn=arn)["Attributes"]
    result = {"TopicName": found["TopicArn"].rsplit(":", 1)[1]}
    return {**result, "KmsMasterKeyId": found["KmsMasterKeyId"]} if "KmsMasterKeyId" in made else result


def create_subscription(account, it):
    return account.sns.subscribe(**{key: it.pop(key) for key in list(it)})["SubscriptionArn"], {}


def read_subscription(account, _, made):
    found, = account.sns.list_subscriptions_by_topic(TopicArn=made["TopicArn"])["Subscriptions"]
    return {key: found[key] for key in made}


def create_dashboard(account, it):
    name = it.pop("DashboardName")
    problems = account.cloudwatch.put_dashboard(DashboardName=name, DashboardBody=it.pop("DashboardBody"))
    assert not problems.get("DashboardValidationMessages")
    return name, {}


def read_dashboard(account, name, made):
    return {"DashboardName": name, "DashboardBody": account.cloudwatch.get_dashboard(DashboardName=name)["DashboardBody"]}


# CloudFront, WAF

def items(values):
    return {"Quantity": len(values), "Items": values}


def create_distribution(account, it):
    config = it.pop("DistributionConfig")
    behavior, certificate = config["DefaultCacheBehavior"], config["ViewerCertificate"]
    certificate["ACMCertificateArn"] = certificate.pop("AcmCertificateArn")
    certificate["SSLSupportMethod"] = certificate.pop("SslSupportMethod")
    config["IsIPV6Enabled"] = config.pop("IPV6Enabled")
    if "WebACLId" in config:
        config["WebACLId"] = config.pop("WebACLId")
    for origin in config["Origins"]:
        custom = origin["CustomOriginConfig"]
        custom["OriginSslProtocols"] = items(custom.pop("OriginSSLProtocols"))
        custom |= {"HTTPPort": 80, "HTTPSPort": 443}
    behavior["AllowedMethods"] = {**items(behavior["AllowedMethods"]), "CachedMethods": items(["GET", "HEAD"])}
    made = account.cloudfront.create_distribution(DistributionConfig={
        **config, "CallerReference": "1", "Aliases": items(config["Aliases"]), "Origins": items(config["Origins"])})
    return made["Distribution"]["Id"], {"DomainName": made["Distribution"]["DomainName"]}


def read_distribution(account, name, made):
    found = account.cloudfront.get_distribution_config(Id=name)["DistributionConfig"]
    wanted = made["DistributionConfig"]
    origin, behavior, certificate = (
        found["Origins"]["Items"][0], found["DefaultCacheBehavior"], found["ViewerCertificate"])
    assert origin["DomainName"] == wanted["Origins"][0]["DomainName"]
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"
    assert origin["CustomOriginConfig"]["OriginSslProtocols"]["Items"] == ["TLSv1.2"]
    assert sorted(behavior["AllowedMethods"]["Items"]) == sorted(wanted["DefaultCacheBehavior"]["AllowedMethods"])
    assert behavior["ViewerProtocolPolicy"] == "redirect-to-https"
    assert certificate["ACMCertificateArn"] == wanted["ViewerCertificate"]["AcmCertificateArn"]
    assert certificate["MinimumProtocolVersion"] == "TLSv1.2_2021"
    assert found["Aliases"]["Items"] == wanted["Aliases"] and found["Enabled"]
    assert found["WebACLId"] == wanted.get("WebACLId", "")
    return made


def create_web_acl(account, it):
    parameters = {key: it.pop(key) for key in list(it)}
    for rule in parameters["Rules"]:
        rule["Statement"]["RateBasedStatement"]["Limit"] = int(rule["Statement"]["RateBasedStatement"]["Limit"])
    made = account.wafv2.create_web_acl(**parameters)["Summary"]
    return made["Id"], {"Arn": made["ARN"]}


def read_web_acl(account, name, made):
    found = account.wafv2.get_web_acl(Name=made["Name"], Scope=made["Scope"], Id=name)["WebACL"]
    return {"Scope": made["Scope"], **{key: found[key] for key in made if key in found}}
