//! Builds the board scene from the game view, the selection, the marks and the animation.

use crownhead_game::{Time, View};
use crownhead_rules::{Side, Square};

use super::GameScreen;
use super::animation::Animation;
use crate::tui::grid::place;
use crate::tui::scene::{Afloat, Figure, Scene, Spot, Target};

/// The period of the pulse on pieces that must jump.
const PULSE_MS: u64 = 1_200;
/// The redraw interval of the pulse.
pub(super) const PULSE_STEP_MS: u64 = 150;
/// The lowest intensity of the pulse.
const LEAST_PULSE: f32 = 0.5;

/// A scene with pieces only, without marks.
pub(crate) fn resting(view: &View, bottom: Side, numbers: bool) -> Scene {
    let mut scene = Scene {
        colours: [view.rulebook.black, view.rulebook.white],
        playing_squares: view.rulebook.playing_squares,
        bottom,
        spots: [Spot::default(); Square::COUNT],
        afloat: None,
        numbers,
        pulse: 1.0,
    };
    for piece in &view.pieces {
        if let Some(spot) = spot(&mut scene, piece.square) {
            spot.figure = Some(Figure { side: piece.side, king: piece.king });
        }
    }
    for &square in view.last_move.iter().flat_map(|last| &last.mv.path) {
        if let Some(spot) = spot(&mut scene, square) {
            spot.last_move = true;
        }
    }
    scene
}

fn spot(scene: &mut Scene, number: u8) -> Option<&mut Spot> {
    scene.spots.get_mut(Square::new(number)?.index())
}

impl GameScreen {
    pub(super) fn scene(&self, view: &View, now: Time) -> Scene {
        let bottom = self.bottom(view);
        if let Some(scene) = self.animation.as_ref().and_then(|animation| self.moving(animation, view, now)) {
            return scene;
        }
        let mut scene = resting(view, bottom, self.settings.numbers);
        if self.looking.is_some() {
            return scene;
        }
        scene.pulse = self.pulse(now);
        self.mark_ways(&mut scene, view);
        self.mark_selection(&mut scene, view);
        for square in Square::all().filter(|&square| self.cursor.is_on(square)) {
            scene.spots[square.index()].cursor = true;
        }
        scene
    }

    fn pulse(&self, now: Time) -> f32 {
        if !self.settings.animation {
            return 1.0;
        }
        let step = now.0 % PULSE_MS / PULSE_STEP_MS * PULSE_STEP_MS;
        let wave = (step as f32 / PULSE_MS as f32 * core::f32::consts::TAU).cos();
        LEAST_PULSE + (1.0 - LEAST_PULSE) * (0.5 + 0.5 * wave)
    }

    /// Marks the pieces that must jump and the squares of a hint.
    fn mark_ways(&self, scene: &mut Scene, view: &View) {
        if view.your_turn && self.selection.held().is_none() {
            for &square in &view.must_jump {
                if let Some(spot) = spot(scene, square) {
                    spot.must_jump = true;
                }
            }
        }
        for &square in view.hint.iter().flat_map(|hint| &hint.path) {
            if let Some(spot) = spot(scene, square) {
                spot.hint = true;
            }
        }
    }

    /// Marks the selected piece, the pieces it has jumped and its destinations.
    fn mark_selection(&self, scene: &mut Scene, view: &View) {
        let Some((from, here)) = self.selection.held() else { return };
        let Some(state) = self.selection.state(view) else { return };
        let figure = spot(scene, from).and_then(|spot| spot.figure.take());
        for &square in &state.jumped {
            if let Some(spot) = spot(scene, square) {
                spot.ghost = true;
            }
        }
        for target in &state.targets {
            if let Some(spot) = spot(scene, target.square) {
                spot.target = Some(if target.jumps { Target::Jump } else { Target::Step });
            }
        }
        if let Some(spot) = spot(scene, here) {
            spot.figure = figure;
            spot.selected = true;
        }
        if let (Some(figure), Some((x, y)), Some(board)) = (figure, self.places.dragged_to, self.places.board)
        {
            if let Some(spot) = spot(scene, here) {
                spot.figure = None;
            }
            let (x, y) = board.point(x, y);
            scene.afloat = Some(Afloat { figure, x, y });
        }
    }

    /// The board before the move, with the animated piece.
    fn moving(&self, animation: &Animation, view: &View, now: Time) -> Option<Scene> {
        let leg = animation.leg(now)?;
        let before = self.session.view_at(now, view.shown.checked_sub(1)?);
        let bottom = self.bottom(view);
        let mut scene = resting(&before, bottom, self.settings.numbers);
        for spot in &mut scene.spots {
            spot.last_move = false;
        }
        spot(&mut scene, *animation.path.first()?)?.figure = None;
        for &square in animation.captured.iter().take(leg.jumped) {
            spot(&mut scene, square)?.ghost = true;
        }
        let middle = |number: u8| {
            let (column, row) = place(Square::new(number)?, bottom);
            Some((column as f32 + 0.5, row as f32 + 0.5))
        };
        let ((from_x, from_y), (to_x, to_y)) = (middle(leg.from)?, middle(leg.to)?);
        let between = |from: f32, to: f32| from + (to - from) * leg.share;
        scene.afloat =
            Some(Afloat { figure: animation.figure, x: between(from_x, to_x), y: between(from_y, to_y) });
        Some(scene)
    }
}
