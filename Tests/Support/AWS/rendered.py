"""The resources of the template with every option, without functions."""
import unittest
from stack import Stack
from test_deployment import EVERYTHING, parameters


class Rendered(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = Stack(**parameters("prod", **EVERYTHING))
        # Names as AWS gives them, so that every property has its value.
        for name, resource in stack.template["Resources"].items():
            stack.names[name] = stack.value(resource.get("Properties", {}).get(
                {"AWS::S3::Bucket": "BucketName", "AWS::Lambda::Function": "FunctionName",
                 "AWS::Logs::LogGroup": "LogGroupName"}.get(resource["Type"]), name))
            for attribute in ("Arn", "FunctionUrl", "DomainName"):
                stack.attributes[name, attribute] = f"https://{name}/{attribute}"
        cls.resources = {
            name: {**resource, "Properties": stack.value(resource.get("Properties", {}))}
            for name, resource in stack.template["Resources"].items()}

    def of_type(self, kind):
        found = {name: one["Properties"] for name, one in self.resources.items() if one["Type"] == kind}
        self.assertTrue(found, kind)
        return found
