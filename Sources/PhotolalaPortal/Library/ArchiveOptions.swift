import Foundation
import Localization
import ObjectStorage
import UseCases

/// The part of a form that chooses how archived photos are retrieved, and its texts.
struct ArchiveOptions {
    /// The fields of the form.
    enum Field {
        static let speed = "speed"
        static let days = "days"
    }

    let estimate: RetrievalEstimate
    let texts: LocalizedStrings

    /// Returns the template content.
    var content: [String: any Sendable] {
        let days = RetrievalRequest.usualDays
        let options = estimate.options(days: days)
        let chosen = options.contains { $0.speed == .standard } ? RetrievalTier.standard : options.first?.speed
        var content: [String: any Sendable] = [
            "speeds": options.map { option in
                [
                    "value": option.speed.rawValue, "text": text(option), "isChecked": option.speed == chosen,
                ] as [String: any Sendable]
            },
            "priceNote": texts(.archivePrices),
        ]
        if estimate.expiresCopies {
            content["priceNote"] = texts(.archivePricesWithDays, [.count: texts.number(days)])
            content["days"] = String(days)
            content["maximumDays"] = String(RetrievalRequest.maximumDays)
        }
        return content
    }

    private func text(_ option: RetrievalEstimate.Option) -> String {
        let name = texts.member(option.speed.rawValue, of: .speed) ?? option.speed.rawValue
        let text = texts(
            .archiveOption,
            [.name: name, .duration: texts.duration(option.longest), .price: texts.price(option.dollars)])
        guard option.objects < estimate.objects else { return text }
        return "\(text) \(texts(.archiveOptionPart, [.count: texts.number(option.objects)]))"
    }

    /// Returns the request that a form describes.
    /// - Throws: `invalidRequest` for an unknown speed, and for days that are not 1 to 365.
    static func request(_ form: Form) throws(ServiceError) -> RetrievalRequest {
        guard let speed = form[Field.speed].flatMap({ RetrievalTier(rawValue: $0) }) else {
            throw .invalidRequest("missing or unknown speed")
        }
        let days = form[Field.days].map { Int($0) } ?? RetrievalRequest.usualDays
        guard let days, (1...RetrievalRequest.maximumDays).contains(days) else {
            throw .invalidRequest("days must be 1 to \(RetrievalRequest.maximumDays)")
        }
        return RetrievalRequest(speed: speed, days: days)
    }
}

extension LocalizedStrings {
    /// Returns a duration, rounded up: in minutes up to two hours, in hours up to two days, otherwise in days.
    func duration(_ duration: Duration) -> String {
        let minutes = (Int(duration.components.seconds) + 59) / 60
        return switch minutes {
        case ...120: self(.durationMinutes, [.count: number(minutes)])
        case ...2880: self(.durationHours, [.count: number((minutes + 59) / 60)])
        default: self(.durationDays, [.count: number((minutes + 1439) / 1440)])
        }
    }

    /// Returns a price in US dollars; one below a cent as "less than".
    func price(_ dollars: Double) -> String {
        dollars > 0 && dollars < 0.01 ? self(.priceBelow, [.price: currency(0.01)]) : currency(dollars)
    }
}
