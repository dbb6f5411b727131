"""Creates the resources of a stack with the calls of AWS's APIs, and reads them back.

moto's CloudFormation knows few of the properties. Here each property of the template must be used by exactly the
call to which CloudFormation passes it; one that is not used is an error.
"""
import json
import boto3
import functions, storage


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


TYPES = {
    "AWS::S3::Bucket": (storage.create_bucket, storage.read_bucket),
    "AWS::S3::BucketPolicy": (storage.create_bucket_policy, storage.read_bucket_policy),
    "AWS::IAM::Role": (storage.create_role, storage.read_role),
    "AWS::IAM::ManagedPolicy": (storage.create_managed_policy, storage.read_managed_policy),
    "AWS::Lambda::Function": (functions.create_function, functions.read_function),
    "AWS::Lambda::Url": (functions.create_url, functions.read_url),
    "AWS::Lambda::Permission": (functions.create_permission, functions.read_permission),
    "AWS::Lambda::EventInvokeConfig": (functions.create_invocation, functions.read_invocation),
    "AWS::Events::Rule": (functions.create_rule, functions.read_rule),
    "AWS::Logs::LogGroup": (functions.create_logs, functions.read_logs),
    "AWS::Logs::MetricFilter": (functions.create_filter, functions.read_filter),
    "AWS::CloudWatch::Alarm": (functions.create_alarm, functions.read_alarm),
    "AWS::CloudWatch::Dashboard": (functions.create_dashboard, functions.read_dashboard),
    "AWS::SNS::Topic": (functions.create_topic, functions.read_topic),
    "AWS::SNS::Subscription": (functions.create_subscription, functions.read_subscription),
    "AWS::CloudFront::Distribution": (functions.create_distribution, functions.read_distribution),
    "AWS::WAFv2::WebACL": (functions.create_web_acl, functions.read_web_acl),
}
