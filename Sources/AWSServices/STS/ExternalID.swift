/// The external id that a role's trust policy can demand (`sts:ExternalId`). It is not a secret.
package struct ExternalID: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    /// Returns `nil` for anything but 2 to 1,224 characters of those that AWS allows.
    package init?(_ text: String) {
        guard (2...1224).contains(text.utf8.count), text.utf8.allSatisfy({ Self.legal.contains($0) }) else {
            return nil
        }
        description = text
    }

    private static let legal = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+=,.@:/-".utf8
    )
}
