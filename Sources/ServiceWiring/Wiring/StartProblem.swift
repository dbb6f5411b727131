/// A reason why the service cannot start, for the operator.
package struct StartProblem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
