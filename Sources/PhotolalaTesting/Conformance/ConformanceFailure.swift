/// A violation of a protocol's requirements by an implementation.
package struct ConformanceFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Fails the case unless the condition holds.
func require(_ fact: Bool, _ promise: String) throws {
    guard fact else { throw ConformanceFailure(promise) }
}

/// Returns the value, or fails the case if it is `nil`.
func unwrap<Value>(_ value: Value?, _ promise: String) throws -> Value {
    guard let value else { throw ConformanceFailure(promise) }
    return value
}
