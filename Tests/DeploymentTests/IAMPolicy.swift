import Foundation

/// A policy, evaluated as by AWS for the subset that this project uses: anything else is an error.
struct IAMPolicy: Decodable {
    struct Unknown: Error { let operation: String }

    let Version: String
    let Statement: [IAMStatement]

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    /// Returns whether the policy allows the action and no statement denies it.
    func allows(_ action: String, _ resource: String, _ context: [String: String] = [:]) throws -> Bool {
        try covers("Allow", action, resource, context) && !forbids(action, resource, context)
    }

    func forbids(_ action: String, _ resource: String, _ context: [String: String] = [:]) throws -> Bool {
        try covers("Deny", action, resource, context)
    }

    private func covers(
        _ effect: String, _ action: String, _ resource: String, _ context: [String: String]
    ) throws -> Bool {
        try Statement.contains { try $0.Effect == effect && $0.covers(action, resource, context) }
    }

    /// A key that is absent from the request satisfies only negated conditions and `IfExists`.
    static func holds(_ operation: String, _ value: String?, _ wanted: [String]) throws -> Bool {
        switch operation {
        case "Bool", "ArnEquals", "StringEquals": value.map(wanted.contains) ?? false
        case "BoolIfExists": value.map(wanted.contains) ?? true
        case "StringNotEquals": value.map { !wanted.contains($0) } ?? true
        case "StringLike": value.map { value in wanted.contains { matches(value, $0) } } ?? false
        // Dates in one format and time zone sort like their texts.
        case "DateLessThan": value.map { value in wanted.contains { value < $0 } } ?? false
        default: throw Unknown(operation: operation)
        }
    }

    /// `*` matches any number of bytes and `?` matches one.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
        var ends: Set = [0]
        for byte in pattern {
            switch byte {
            case UInt8(ascii: "*"): ends = ends.min().map { Set($0...text.count) } ?? []
            case UInt8(ascii: "?"): ends = Set(ends.filter { $0 < text.count }.map { $0 + 1 })
            default: ends = Set(ends.filter { $0 < text.count && text[$0] == byte }.map { $0 + 1 })
            }
        }
        return ends.contains(text.count)
    }
}

/// One statement of a policy.
struct IAMStatement: Decodable {
    let Sid: String?
    let Effect: String
    let Principal: JSONText?
    let Action: [String]
    let Resource: [String]?
    let Condition: [String: [String: JSONText]]?

    func covers(_ action: String, _ resource: String, _ context: [String: String]) throws -> Bool {
        guard Action.contains(where: { IAMPolicy.matches(action, $0) }),
            (Resource ?? ["*"]).contains(where: { IAMPolicy.matches(resource, $0) })
        else { return false }
        return try (Condition ?? [:]).allSatisfy { operation, keys in
            try keys.allSatisfy { try IAMPolicy.holds(operation, context[$0.key], $0.value.texts) }
        }
    }
}

/// One text or a list of texts, which are equivalent; the kind of a principal is ignored.
struct JSONText: Decodable {
    let texts: [String]

    init(from decoder: any Decoder) throws {
        if let one = try? decoder.singleValueContainer().decode(String.self) {
            texts = [one]
        } else if let several = try? decoder.singleValueContainer().decode([String].self) {
            texts = several
        } else {
            texts = try decoder.singleValueContainer().decode([String: JSONText].self).values.flatMap(\.texts)
        }
    }
}
