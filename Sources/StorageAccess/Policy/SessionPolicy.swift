import Foundation

/// A user's policy in the words of AWS, for the session that the user's credentials belong to: a token service lets
/// them do what both the role and this allow. There is no other way to make one than from a `UserStoragePolicy`.
package struct SessionPolicy: Sendable, Equatable {
    /// The most characters that a token service takes.
    package static let longest = 2048

    /// The policy, one line of ASCII.
    package let json: String

    /// - Parameters:
    ///   - end: nothing is allowed from this second on, by the store's clock; `nil` leaves the end to the session's own.
    package init(_ policy: UserStoragePolicy, bucket: BucketARN, until end: Date? = nil) {
        let limit = end.map { ["DateLessThan": ["aws:CurrentTime": [Self.spelled($0)]]] }
        var statements: [Statement] = []
        // Each scope once: they are longer than the names of the acts.
        for scope in policy.scopes {
            let (resource, actions) = ("\(bucket)/\(scope.pattern)", policy.actions(in: scope))
            if let same = statements.firstIndex(where: { $0.Action == actions }) {
                statements[same].Resource.append(resource)
            } else {
                statements.append(Statement(Action: actions, Resource: [resource], Condition: limit))
            }
        }
        if !policy.listed.isEmpty {
            let prefixes = ["StringLike": ["s3:prefix": policy.listed.map { "\($0)*" }]]
            statements.append(
                Statement(
                    Action: ["s3:ListBucket"], Resource: [bucket.description],
                    Condition: prefixes.merging(limit ?? [:]) { own, _ in own }
                )
            )
        }
        json = Self.encoded(Document(Statement: statements))
    }

    private static func encoded(_ document: Document) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts cannot fail to be encoded. If they did: `{}` is refused, while no policy would be the role's whole reach.
        return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Whole seconds, never later than the date.
    private static func spelled(_ date: Date) -> String {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).ISO8601Format()
    }

    private struct Document: Encodable {
        let Version = "2012-10-17"
        let Statement: [Statement]
    }

    private struct Statement: Encodable {
        let Effect = "Allow"
        let Action: [String]
        var Resource: [String]
        /// Operator, key, values; all of them must hold.
        let Condition: [String: [String: [String]]]?
    }
}
