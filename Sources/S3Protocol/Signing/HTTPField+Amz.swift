import HTTPTypes

extension HTTPField.Name {
    package static let amzContentSHA256 = known("x-amz-content-sha256")
    package static let amzDate = known("x-amz-date")
    package static let amzSecurityToken = known("x-amz-security-token")

    /// Creates a field name from a literal in this module, all of which are valid tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }
}
