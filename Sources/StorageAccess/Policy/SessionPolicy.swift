import Foundation

/// A user's policy in AWS's policy language, for a session of one user: a token service grants the intersection of
/// the role and this policy. It can only be created from a `UserStoragePolicy` or an `ErasurePolicy`.
package struct SessionPolicy: Sendable, Equatable {
    /// The maximum number of characters that a token service accepts.
    package static let maximumLength = 2048

    /// The policy as one line of ASCII.
    package let json: String

    /// - Parameters:
    ///   - end: From this second on nothing is allowed, by the store's clock; `nil` if the expiry of the session is
    ///     sufficient.
    package init(_ policy: UserStoragePolicy, bucket: BucketARN, until end: Date? = nil) {
        let limit = end.map { ["DateLessThan": ["aws:CurrentTime": [Self.formatted($0)]]] }
        var statements: [Statement] = []
        // Lists each scope once: scopes are longer than the names of actions.
        for scope in policy.scopes {
            let (resource, actions) = ("\(bucket)/\(scope.pattern)", policy.actions(in: scope))
            if let same = statements.firstIndex(where: { $0.Action == actions }) {
                statements[same].Resource.append(resource)
            } else {
                statements.append(Statement(actions: actions, resources: [resource], condition: limit))
            }
        }
        if !policy.listed.isEmpty {
            let prefixes = ["StringLike": ["s3:prefix": policy.listed.map { "\($0)*" }]]
            statements.append(
                Statement(
                    actions: ["s3:ListBucket"], resources: [bucket.description],
                    condition: prefixes.merging(limit ?? [:]) { own, _ in own }
                )
            )
        }
        json = Self.encoded(Document(Statement: statements))
    }

    init(statements: [Statement]) { json = Self.encoded(Document(Statement: statements)) }

    private static func encoded(_ document: Document) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding strings cannot fail. If it did, `{}` would be rejected, whereas an omitted policy would grant the
        // role's whole access.
        return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Formats whole seconds, never later than the date.
    private static func formatted(_ date: Date) -> String {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).ISO8601Format()
    }

    private struct Document: Encodable {
        let Version = "2012-10-17"
        let Statement: [Statement]
    }

    /// A statement that allows actions.
    struct Statement: Encodable {
        let Effect = "Allow"
        let Action: [String]
        var Resource: [String]
        /// Operator, key, values; all conditions must hold.
        let Condition: [String: [String: [String]]]?

        init(actions: [String], resources: [String], condition: [String: [String: [String]]]? = nil) {
            (Action, Resource, Condition) = (actions, resources, condition)
        }
    }
}
