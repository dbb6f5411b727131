"""Creates the resources of a stack with the calls of AWS's APIs, and reads them back.

moto's CloudFormation knows few of the properties. Here each property of the template must be used by exactly the
call to which CloudFormation passes it; one that is not used is an error.
"""
import json
import boto3

NOTIFICATION = "AlarmActions", "OKActions"


class Account:
    def __init__(self, endpoint, region):
        self.make = lambda service: boto3.client(
            service, endpoint_url=endpoint, region_name=region, aws_access_key_id="test", aws_secret_access_key="test")
        self.clients = {}

    def __getattr__(self, service):
        if service not in self.clients:
            self.clients[service] = self.make({"lambda_": "lambda"}.get(service, service))
        return self.clients[service]


def deploy(stack, account):
    """Creates all resources. Returns the properties of each by its name."""
    made = {}
    for name, resource in stack.resources().items():
        properties = stack.value(resource.get("Properties", {}))
        made[name] = json.loads(json.dumps(properties))
        create, _ = TYPES[resource["Type"]]
        stack.names[name], attributes = create(account, properties)
        stack.attributes.update({(name, key): value for key, value in attributes.items()})
        assert not properties, f"{name}: {properties} was not passed to AWS"
    return made


def read(stack, account, made):
    """Returns what AWS says of each resource, as properties."""
    return {
        name: TYPES[stack.template["Resources"][name]["Type"]][1](account, stack.names[name], properties)
        for name, properties in made.items()
    }


# S3

def api_rule(rule):
    rule = dict(rule)
    conditions = {key: rule.pop(key) for key in ("Prefix", "ObjectSizeGreaterThan") if key in rule}
    if "ObjectSizeGreaterThan" in conditions:
        conditions = {"And": {**conditions, "ObjectSizeGreaterThan": int(conditions["ObjectSizeGreaterThan"])}}
    if "ExpiredObjectDeleteMarker" in rule:
        rule["Expiration"] = {"ExpiredObjectDeleteMarker": rule.pop("ExpiredObjectDeleteMarker")}
    for transition in rule.get("Transitions", []):
        transition["Days"] = transition.pop("TransitionInDays")
    return {"ID": rule.pop("Id"), "Filter": conditions, **rule}


CORS_NAMES = {"Id": "ID", "ExposedHeaders": "ExposeHeaders", "MaxAge": "MaxAgeSeconds"}


def renamed(members, names):
    return {names.get(key, key): value for key, value in members.items()}


def create_bucket(account, it):
    s3, name = account.s3, it.pop("BucketName")
    s3.create_bucket(Bucket=name, ObjectOwnership=it["OwnershipControls"]["Rules"][0]["ObjectOwnership"])
    s3.put_bucket_ownership_controls(Bucket=name, OwnershipControls=it.pop("OwnershipControls"))
    s3.put_public_access_block(
        Bucket=name, PublicAccessBlockConfiguration=it.pop("PublicAccessBlockConfiguration"))
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration=it.pop("VersioningConfiguration"))
    rules = [{"ApplyServerSideEncryptionByDefault": rule["ServerSideEncryptionByDefault"]}
             for rule in it.pop("BucketEncryption")["ServerSideEncryptionConfiguration"]]
    s3.put_bucket_encryption(Bucket=name, ServerSideEncryptionConfiguration={"Rules": rules})
    lifecycle = it.pop("LifecycleConfiguration")
    s3.put_bucket_lifecycle_configuration(
        Bucket=name, LifecycleConfiguration={"Rules": [api_rule(rule) for rule in lifecycle["Rules"]]},
        TransitionDefaultMinimumObjectSize=lifecycle["TransitionDefaultMinimumObjectSize"])
    if "CorsConfiguration" in it:
        s3.put_bucket_cors(
            Bucket=name,
            CORSConfiguration={
                "CORSRules": [renamed(rule, CORS_NAMES) for rule in it.pop("CorsConfiguration")["CorsRules"]]})
    if "ReplicationConfiguration" in it:
        replication = it.pop("ReplicationConfiguration")
        replication["Rules"] = [renamed(rule, {"Id": "ID"}) for rule in replication["Rules"]]
        s3.put_bucket_replication(Bucket=name, ReplicationConfiguration=replication)
    # moto has no request metrics: botocore checks the parameters only.
    for metrics in it.pop("MetricsConfigurations"):
        check_parameters(s3, "PutBucketMetricsConfiguration", {
            "Bucket": name, "Id": metrics["Id"],
            "MetricsConfiguration": {"Id": metrics["Id"], "Filter": {"Prefix": metrics["Prefix"]}}})
    return name, {"Arn": f"arn:aws:s3:::{name}"}


def check_parameters(client, operation, parameters):
    from botocore.validate import ParamValidator
    model = client.meta.service_model.operation_model(operation)
    report = ParamValidator().validate(parameters, model.input_shape)
    assert not report.has_errors(), report.generate_report()


def cfn_rule(rule, made):
    rule = dict(rule)
    conditions = rule.pop("Filter")
    rule.update(conditions.get("And", conditions))
    # moto does not keep sizes.
    rule.update({key: made[key] for key in ["ObjectSizeGreaterThan"] if key in made})
    rule.update(rule.pop("Expiration", {}))
    for transition in rule.get("Transitions", []):
        transition["TransitionInDays"] = transition.pop("Days")
    return {"Id": rule.pop("ID"), **rule}


def read_bucket(account, name, made):
    s3 = account.s3
    encryption = s3.get_bucket_encryption(Bucket=name)["ServerSideEncryptionConfiguration"]["Rules"]
    found = {
        "BucketName": name,
        "OwnershipControls": s3.get_bucket_ownership_controls(Bucket=name)["OwnershipControls"],
        "PublicAccessBlockConfiguration":
            s3.get_public_access_block(Bucket=name)["PublicAccessBlockConfiguration"],
        "VersioningConfiguration": {"Status": s3.get_bucket_versioning(Bucket=name)["Status"]},
        "BucketEncryption": {"ServerSideEncryptionConfiguration": [
            {"ServerSideEncryptionByDefault": rule["ApplyServerSideEncryptionByDefault"]} for rule in encryption]},
        "LifecycleConfiguration": {
            **{key: made["LifecycleConfiguration"][key] for key in ["TransitionDefaultMinimumObjectSize"]},
            "Rules": [
                cfn_rule(rule, wanted) for rule, wanted in zip(
                    s3.get_bucket_lifecycle_configuration(Bucket=name)["Rules"],
                    made["LifecycleConfiguration"]["Rules"], strict=True)]},
        "MetricsConfigurations": made["MetricsConfigurations"],
    }
    if "CorsConfiguration" in made:
        names = {api: ours for ours, api in CORS_NAMES.items()}
        found["CorsConfiguration"] = {
            "CorsRules": [renamed(rule, names) for rule in s3.get_bucket_cors(Bucket=name)["CORSRules"]]}
    if "ReplicationConfiguration" in made:
        replication = s3.get_bucket_replication(Bucket=name)["ReplicationConfiguration"]
        # moto does not keep the replication of delete markers.
        replication["Rules"] = [
            {**renamed(rule, {"ID": "Id"}), "DeleteMarkerReplication": {"Status": "Enabled"}}
            for rule in replication["Rules"]]
        found["ReplicationConfiguration"] = replication
    return found


def create_bucket_policy(account, it):
    name = it.pop("Bucket")
    account.s3.put_bucket_policy(Bucket=name, Policy=json.dumps(it.pop("PolicyDocument")))
    return name, {}


def read_bucket_policy(account, name, made):
    return {"Bucket": name, "PolicyDocument": json.loads(account.s3.get_bucket_policy(Bucket=name)["Policy"])}


# IAM

def create_role(account, it):
    name = it.pop("RoleName", "photolala-generated")
    limit = {"MaxSessionDuration": it.pop("MaxSessionDuration")} if "MaxSessionDuration" in it else {}
    made = account.iam.create_role(
        RoleName=name, AssumeRolePolicyDocument=json.dumps(it.pop("AssumeRolePolicyDocument")), **limit)
    for policy in it.pop("Policies"):
        account.iam.put_role_policy(
            RoleName=name, PolicyName=policy["PolicyName"], PolicyDocument=json.dumps(policy["PolicyDocument"]))
    return name, {"Arn": made["Role"]["Arn"]}


def read_role(account, name, made):
    role = account.iam.get_role(RoleName=name)["Role"]
    policies = account.iam.list_role_policies(RoleName=name)["PolicyNames"]
    found = {
        "RoleName": role["RoleName"], "MaxSessionDuration": role["MaxSessionDuration"],
        "AssumeRolePolicyDocument": role["AssumeRolePolicyDocument"],
        "Policies": [
            {"PolicyName": policy,
             "PolicyDocument": account.iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"]}
            for policy in policies],
    }
    return {key: value for key, value in found.items() if key in made}


def create_managed_policy(account, it):
    made = account.iam.create_policy(
        PolicyName=it.pop("ManagedPolicyName"), PolicyDocument=json.dumps(it.pop("PolicyDocument")))
    return made["Policy"]["Arn"], {}


def read_managed_policy(account, arn, made):
    policy = account.iam.get_policy(PolicyArn=arn)["Policy"]
    version = account.iam.get_policy_version(PolicyArn=arn, VersionId=policy["DefaultVersionId"])
    return {"ManagedPolicyName": policy["PolicyName"], "PolicyDocument": version["PolicyVersion"]["Document"]}


# Lambda

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


TYPES = {
    "AWS::S3::Bucket": (create_bucket, read_bucket),
    "AWS::S3::BucketPolicy": (create_bucket_policy, read_bucket_policy),
    "AWS::IAM::Role": (create_role, read_role),
    "AWS::IAM::ManagedPolicy": (create_managed_policy, read_managed_policy),
    "AWS::Lambda::Function": (create_function, read_function),
    "AWS::Lambda::Url": (create_url, read_url),
    "AWS::Lambda::Permission": (create_permission, read_permission),
    "AWS::Lambda::EventInvokeConfig": (create_invocation, read_invocation),
    "AWS::Events::Rule": (create_rule, read_rule),
    "AWS::Logs::LogGroup": (create_logs, read_logs),
    "AWS::Logs::MetricFilter": (create_filter, read_filter),
    "AWS::CloudWatch::Alarm": (create_alarm, read_alarm),
    "AWS::CloudWatch::Dashboard": (create_dashboard, read_dashboard),
    "AWS::SNS::Topic": (create_topic, read_topic),
    "AWS::SNS::Subscription": (create_subscription, read_subscription),
    "AWS::CloudFront::Distribution": (create_distribution, read_distribution),
    "AWS::WAFv2::WebACL": (create_web_acl, read_web_acl),
}
