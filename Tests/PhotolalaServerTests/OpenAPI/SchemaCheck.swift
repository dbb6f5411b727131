import Foundation

/// Compares JSON values with schemas of the document. Stricter than JSON Schema: an undocumented member, a value beyond
/// an extensible enumeration and a keyword that is not implemented here are problems.
struct SchemaCheck {
    let document: APIDocument

    private static let annotations: Set = [
        "description", "examples", "title", "contentMediaType", "contentEncoding", "default", "additionalProperties",
        "items", "oneOf", "anyOf", "allOf", "properties", "required", "$ref", "discriminator", "uniqueItems",
    ]

    /// Returns the problems of a value; empty if it matches.
    func problems(_ value: DocumentValue, _ schema: DocumentValue, at path: String = "$") throws -> [String] {
        var found: [String] = []
        let parts = try flattened(schema)
        for part in parts { found += try ownProblems(value, part, at: path) }
        if let members = value.object { found += try memberProblems(members, parts, at: path) }
        return found
    }

    /// Returns a schema and all that it combines by references and `allOf`.
    func flattened(_ schema: DocumentValue) throws -> [DocumentValue] {
        var parts = [schema]
        if schema["$ref"] != nil { parts += try flattened(try document.resolved(schema)) }
        for part in schema["allOf"]?.array ?? [] { parts += try flattened(part) }
        return parts
    }

    private func memberProblems(
        _ members: [String: DocumentValue], _ parts: [DocumentValue], at path: String
    ) throws -> [String] {
        let known = Set(parts.flatMap { ($0["properties"]?.object ?? [:]).keys })
        let others = parts.compactMap { $0["additionalProperties"] }
        guard !known.isEmpty || !others.isEmpty else { return [] }
        var found: [String] = []
        for (name, value) in members where !known.contains(name) {
            if others.isEmpty { found.append("\(path): undocumented member \(name)") }
            for other in others { found += try problems(value, other, at: "\(path).\(name)") }
        }
        return found
    }

    private func ownProblems(_ value: DocumentValue, _ schema: DocumentValue, at path: String) throws -> [String] {
        var found: [String] = []
        func require(_ condition: Bool, _ what: String) { if !condition { found.append("\(path): \(what)") } }
        for (keyword, rule) in schema.object ?? [:] {
            switch keyword {
            case "type":
                let types = rule.string.map { [$0] } ?? rule.strings
                require(types.contains { value.is($0) }, "not of type \(types)")
            case "enum", "x-extensible-enum": require(rule.array?.contains(value) ?? false, "\(value) is not listed")
            case "const": require(value == rule, "\(value) is not \(rule)")
            case "not": require(!(try problems(value, rule).isEmpty), "\(value) is excluded")
            case "pattern":
                guard let text = value.string, let pattern = rule.string else { continue }
                require(text.range(of: pattern, options: .regularExpression) != nil, "\(text) is not like \(pattern)")
            case "format": require(try value.has(rule.string ?? ""), "not in format \(rule)")
            case "minimum": require(value.number ?? .infinity >= rule.number ?? .infinity, "below the minimum")
            case "maximum": require(value.number ?? -.infinity <= rule.number ?? -.infinity, "above the maximum")
            case "minLength": require(value.string?.unicodeScalars.count ?? .max >= rule.integer ?? .max, "too short")
            case "maxLength": require(value.string?.unicodeScalars.count ?? 0 <= rule.integer ?? 0, "too long")
            case "minItems": require(value.array?.count ?? .max >= rule.integer ?? .max, "too few elements")
            case "maxItems": require(value.array?.count ?? 0 <= rule.integer ?? 0, "too many elements")
            case "maxProperties": require(value.object?.count ?? 0 <= rule.integer ?? 0, "too many members")
            default: require(Self.annotations.contains(keyword), "unknown keyword \(keyword)")
            }
        }
        for name in schema["required"]?.strings ?? [] where value.object != nil {
            require(value[name] != nil, "missing member \(name)")
        }
        for (name, part) in schema["properties"]?.object ?? [:] {
            if let member = value[name] { found += try problems(member, part, at: "\(path).\(name)") }
        }
        if let items = schema["items"] {
            for element in value.array ?? [] { found += try problems(element, items, at: "\(path)[]") }
        }
        for keyword in ["oneOf", "anyOf"] {
            guard let choices = schema[keyword]?.array else { continue }
            let matches = try choices.filter { try problems(value, $0, at: path).isEmpty }.count
            require(keyword == "oneOf" ? matches == 1 : matches > 0, "matches \(matches) of \(keyword)")
        }
        return found
    }
}

extension DocumentValue {
    /// Returns whether this is a value of a type of JSON Schema.
    fileprivate func `is`(_ type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"), (.number, "number"),
            (.string, "string"), (.array, "array"), (.object, "object"):
            true
        default: false
        }
    }

    /// Returns whether this is a string or number in a format of JSON Schema or OpenAPI.
    fileprivate func has(_ format: String) throws -> Bool {
        switch format {
        case "uuid": string.flatMap(UUID.init(uuidString:)) != nil
        case "date-time": string.flatMap { try? Date($0, strategy: .iso8601) } != nil
        case "uri": string.flatMap(URL.init(string:))?.scheme != nil
        case "int64": integer != nil
        default: throw DocumentError("format \(format)")
        }
    }
}
