/// What an implementation did that it had promised not to do.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Fails the case unless the fact holds.
func require(_ fact: Bool, _ promise: String) throws {
    guard fact else { throw ConformanceFailure(promise) }
}

/// The value, or a failure of the case when there is none.
func unwrap<Value>(_ value: Value?, _ promise: String) throws -> Value {
    guard let value else { throw ConformanceFailure(promise) }
    return value
}
