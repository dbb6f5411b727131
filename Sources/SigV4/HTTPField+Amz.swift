import HTTPTypes

extension HTTPField.Name {
    package static let amzContentSHA256 = known("x-amz-content-sha256")
    package static let amzDate = known("x-amz-date")
    package static let amzSecurityToken = known("x-amz-security-token")

    /// For names spelled in this package, all of which are legal tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }
}
