import Foundation

/// The fault of a request in a simulation.
enum SimulatedFault: String, Sendable {
    /// Nothing is done, and the response reports that.
    case conflict, unavailable
    /// The response is lost; the change was not done, was done, or is done later.
    case lostBefore, lostAfter, lostAndLate
    /// The change was done, and the response is that of a repeated request whose condition failed.
    case refusedAfter
    /// The actor has ended.
    case crash
}

/// Everything that happened in a simulation, in order.
package struct SimulationTrace: Sendable, Equatable, CustomStringConvertible {
    enum Step: Sendable, Equatable {
        case request(actor: Int, SimulatedRequest, SimulatedFault?)
        /// The clock advanced by a number of seconds.
        case leap(TimeInterval)
    }

    var steps: [Step] = []

    /// Whether time passed.
    package var hasLeaps: Bool {
        steps.contains { if case .leap = $0 { true } else { false } }
    }

    package var isEmpty: Bool { steps.isEmpty }

    /// One line per step.
    package var description: String {
        steps.map { step in
            switch step {
            case .request(let actor, let request, let fault): "\(actor) \(request)\(fault.map { " !\($0)" } ?? "")"
            case .leap(let seconds): "- \(Int(seconds)) seconds pass"
            }
        }.joined(separator: "\n")
    }
}
