/// A reason why the server cannot start, for the operator.
struct StartProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
