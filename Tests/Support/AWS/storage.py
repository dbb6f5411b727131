"""How buckets and roles are created by AWS's APIs, and read back, for provision.py."""
import json
from botocore.validate import ParamValidator


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
