import StorageAccess

/// The ARN of a role: `arn:aws:iam::123456789012:role/photolala-user`.
package struct RoleARN: Sendable, Equatable, CustomStringConvertible {
    package let description: String
    /// The role's partition, which its policies use in the ARNs of buckets.
    package let partition: BucketARN.Partition

    /// Returns `nil` for anything but a role's ARN of at most 2,048 characters.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count <= 2048, parts.count == 6, parts[0] == "arn",
            let partition = BucketARN.Partition(rawValue: String(parts[1])), parts[2] == "iam", parts[3].isEmpty,
            parts[4].utf8.count == 12, parts[4].utf8.allSatisfy({ Self.digits.contains($0) }),
            parts[5].hasPrefix("role/"), !parts[5].hasSuffix("/"), parts[5].utf8.allSatisfy({ Self.legal.contains($0) })
        else { return nil }
        self.partition = partition
        description = text
    }

    private static let digits = Set("0123456789".utf8)
    private static let legal = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+=,.@_/-".utf8
    )
}
