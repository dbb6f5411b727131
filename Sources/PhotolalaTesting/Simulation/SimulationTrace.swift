import Foundation

/// What happens to a request of a simulation.
enum SimulatedFault: String, Sendable {
    /// Nothing is done, and the answer says so.
    case conflict, unavailable
    /// The answer is lost, and it was not done, was done, or is done later.
    case lostBefore, lostAfter, lostAndLate
    /// It was done, and the answer is that of its repetition on the way, whose condition did not hold.
    case refusedAfter
    /// The actor has ended.
    case crash
}

/// Everything that happened in a simulation, in its order.
package struct SimulationTrace: Sendable, Equatable, CustomStringConvertible {
    enum Step: Sendable, Equatable {
        case request(actor: Int, SimulatedRequest, SimulatedFault?)
        /// The clock went on by so many seconds.
        case leap(TimeInterval)
    }

    var steps: [Step] = []

    /// Whether time passed.
    package var hasLeaps: Bool {
        steps.contains { if case .leap = $0 { true } else { false } }
    }

    package var isEmpty: Bool { steps.isEmpty }

    /// A line for each step.
    package var description: String {
        steps.map { step in
            switch step {
            case .request(let actor, let request, let fault): "\(actor) \(request)\(fault.map { " !\($0)" } ?? "")"
            case .leap(let seconds): "- \(Int(seconds)) seconds pass"
            }
        }.joined(separator: "\n")
    }
}
